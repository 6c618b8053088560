/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.bench.lab.DiskCounters;
import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.lab.Machine;
import io.kasane.bench.lab.NodeRoots;
import io.kasane.node.DirectoryUse;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two directories on disks that the user has. They are as fast and as large as they are. */
public final class DirectoryRig implements DiskRig {
  /** Made in each of the two directories, and removed in the end. */
  static final String FOLDER = "kasane-bench";

  private final Map<DiskRole, Path> directories = new EnumMap<>(DiskRole.class);
  private final Map<DiskRole, DeviceNumber> devices = new EnumMap<>(DiskRole.class);
  private final Optional<ControlGroups> groups;
  private final String description;
  private boolean open;

  /**
   * Checks the directories; nothing is made yet.
   *
   * @param slow on the slow disk
   * @param fast on the fast disk
   * @param dataBytes what the data take
   */
  public DirectoryRig(Path slow, Path fast, long dataBytes) throws IOException {
    directories.put(DiskRole.SLOW, UsableDirectory.check("--slow-dir", slow, dataBytes));
    directories.put(DiskRole.FAST, UsableDirectory.check("--fast-dir", fast, dataBytes));
    UsableDirectory.requireApart(
        "--slow-dir", directories.get(DiskRole.SLOW), "--fast-dir", directories.get(DiskRole.FAST));
    for (var entry : directories.entrySet()) {
      devices.put(entry.getKey(), DeviceNumber.under(entry.getValue()));
    }
    groups = ControlGroups.find().filter(found -> found.whyUnusable().isEmpty());
    description =
        "directories "
            + describe(DiskRole.SLOW)
            + " and "
            + describe(DiskRole.FAST)
            + (devices.get(DiskRole.SLOW).equals(devices.get(DiskRole.FAST))
                ? ", both on one device"
                : "")
            + "; as fast and as large as they are; "
            + pageCache();
  }

  private String describe(DiskRole role) throws IOException {
    var store = Files.getFileStore(directories.get(role));
    return directories.get(role) + " (" + store.name() + ", " + store.type() + ")";
  }

  private String pageCache() {
    if (groups.isPresent()) {
      return "page cache of the node emptied every " + PageCacheDrain.PERIOD_MILLIS + " ms";
    }
    return "page cache of the whole machine in use ("
        + (FileCache.canEvict()
            ? "the data are taken out of it before each trial"
            : "never emptied")
        + "): where it holds the data, disks hardly matter";
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public NodeRoots open(Path work) throws IOException {
    open = true;
    for (Path directory : directories.values()) {
      Files.createDirectory(directory.resolve(FOLDER));
    }
    return new NodeRoots(
        work,
        directories.get(DiskRole.SLOW).resolve(FOLDER),
        directories.get(DiskRole.FAST).resolve(FOLDER));
  }

  @Override
  public void attach(
      NodeSettings.Builder node, Path nodeDirectory, List<Placed> disks, Machine machine) {
    RealDisks.attach(node, machine);
  }

  @Override
  public Turn begin(List<Placed> disks) throws IOException, InterruptedException {
    if (FileCache.canEvict()) {
      for (Placed disk : disks) {
        FileCache.evict(Files.createDirectories(disk.directory()));
      }
    }
    return groups.isPresent() ? new GroupTurn(groups.get().create()) : Turn.FREE;
  }

  /** Those of the whole device, whoever else uses it. */
  @Override
  public DiskCounters counters(NodeJmx jmx, String name) throws IOException {
    return DeviceStatistics.of(devices.get(RealDisks.role(name)))
        .map(done -> RealDisks.counters(done, (double) done.busyNanos()))
        .orElse(DiskCounters.UNKNOWN);
  }

  @Override
  public void close() {
    if (open) {
      directories.values().forEach(directory -> DirectoryUse.delete(directory.resolve(FOLDER)));
      open = false;
    }
  }
}
