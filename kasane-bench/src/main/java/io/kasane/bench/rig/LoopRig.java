/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.bench.lab.DiskCounters;
import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.lab.Machine;
import io.kasane.bench.lab.NodeProcesses;
import io.kasane.bench.lab.NodeRoots;
import io.kasane.disk.model.DiskSpec;
import io.kasane.disk.model.HardDiskSpec;
import io.kasane.disk.model.SolidStateSpec;
import io.kasane.node.DirectoryUse;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Loop devices that the kernel slows down to the figures of the modelled disks. Needs root; only
 * one can be on a machine.
 */
public final class LoopRig implements DiskRig {
  private static final List<String> TOOLS =
      List.of("losetup", "mkfs.ext4", "mount", "umount", "fallocate", "dd");

  /** Room for the templates of all trials, and for compaction. */
  private static final int IMAGE_TIMES_DATA = 16;

  private static final long MIN_IMAGE_BYTES = 2L << 30;

  private final double faster;
  private final Map<DiskRole, DiskSpec> specs = new EnumMap<>(DiskRole.class);
  private final Map<DiskRole, LoopDisk> disks = new EnumMap<>(DiskRole.class);
  private final ControlGroups groups;
  private final long imageBytes;
  private final Thread hook = new Thread(this::abort, "loop-rig-removal");
  private GroupTurn turn;
  private boolean open;

  /**
   * Checks that this machine and user can have such disks; nothing is made yet.
   *
   * @param faster time-lapse: both disks are this many times as fast as their models
   * @param dataBytes what the data take
   */
  public LoopRig(double faster, long dataBytes) throws IOException {
    this.faster = faster;
    this.imageBytes = Math.max(MIN_IMAGE_BYTES, IMAGE_TIMES_DATA * dataBytes);
    specs.put(DiskRole.SLOW, HardDiskSpec.SATA_7200.faster(faster));
    specs.put(DiskRole.FAST, SolidStateSpec.SATA.faster(faster));
    Optional<ControlGroups> found = ControlGroups.find();
    List<String> missing = missing(found);
    if (!missing.isEmpty()) {
      throw new NodeException(
          "--disks loop: cannot be had here: "
              + String.join("; ", missing)
              + ". --disks model needs nothing of this.");
    }
    this.groups = found.orElseThrow();
    Leftovers.of(groups).requireNone();
  }

  /** Returns what this machine or user lacks for such disks, in words; empty if nothing. */
  public static List<String> missing() throws IOException {
    return missing(ControlGroups.find());
  }

  private static List<String> missing(Optional<ControlGroups> groups) throws IOException {
    List<String> missing = new ArrayList<>();
    Path self = Path.of("/proc/self");
    if (!Files.exists(self) || (Integer) Files.getAttribute(self, "unix:uid") != 0) {
      missing.add("this is not root on Linux");
    }
    for (String tool : TOOLS) {
      if (Tool.find(tool).isEmpty()) {
        missing.add("no program " + tool);
      }
    }
    if (!Files.exists(Path.of("/dev/loop-control"))) {
      missing.add("no loop devices (/dev/loop-control)");
    }
    if (groups.isEmpty()) {
      missing.add("no memory control group that can be written to");
    } else if (groups.get().io().filter(Files::isWritable).isEmpty()) {
      missing.add("no blkio or io control group that can be written to");
    } else {
      groups.get().whyUnusable().ifPresent(missing::add);
    }
    return missing;
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT,
        "loop devices (direct I/O, ext4) behind the kernel's throttle (control groups version %d),"
            + " time-lapse %.2f; slow: %s; fast: %s; page cache of the node emptied every %d ms",
        groups.unified() ? 2 : 1,
        faster,
        describe(DiskRole.SLOW),
        describe(DiskRole.FAST),
        PageCacheDrain.PERIOD_MILLIS);
  }

  private String describe(DiskRole role) {
    DiskSpec spec = specs.get(role);
    return DiskLimits.of(spec) + ", read-ahead " + (spec.readAheadBytes() >> 10) + " KiB";
  }

  @Override
  public synchronized NodeRoots open(Path work) throws IOException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(hook);
    open = true;
    for (DiskRole role : DiskRole.values()) {
      LoopDisk disk = new LoopDisk(work.resolve("disks"), role.label());
      disks.put(role, disk);
      disk.open(imageBytes, specs.get(role).readAheadBytes());
    }
    return new NodeRoots(
        work, disks.get(DiskRole.SLOW).directory(), disks.get(DiskRole.FAST).directory());
  }

  @Override
  public void attach(
      NodeSettings.Builder node, Path nodeDirectory, List<Placed> placed, Machine machine) {
    RealDisks.attach(node, machine);
  }

  @Override
  public synchronized Turn begin(List<Placed> placed) throws IOException, InterruptedException {
    for (Placed disk : placed) {
      FileCache.evict(Files.createDirectories(disk.directory()));
      fill(disk);
    }
    NodeGroup group = groups.create();
    turn = new GroupTurn(group);
    for (DiskRole role : DiskRole.values()) {
      group.limit(disks.get(role).device(), DiskLimits.of(specs.get(role)));
    }
    return turn;
  }

  /**
   * Leaves no more room than the disk is to have. Kasane would take that for a disk that is nearly
   * full, and leaves the last of it free, but keeps to its quota anyway.
   */
  private void fill(Placed disk) throws IOException, InterruptedException {
    Path root = disks.get(disk.role()).directory();
    Path ballast = root.resolve("ballast");
    Files.deleteIfExists(ballast);
    long room = disk.capacityBytes() - DirectoryUse.of(disk.directory()).bytes();
    long tooMuch = Files.getFileStore(root).getUsableSpace() - Math.max(0, room);
    if (tooMuch > 0 && !disk.quotaKept()) {
      Tool.run("fallocate", "-l", tooMuch, ballast);
    }
  }

  @Override
  public DiskCounters counters(NodeJmx jmx, String name) throws IOException {
    DiskRole role = RealDisks.role(name);
    DiskLimits limits = DiskLimits.of(specs.get(role));
    return DeviceStatistics.of(disks.get(role).device())
        .map(done -> RealDisks.counters(done, limits.busyNanos(done)))
        .orElse(DiskCounters.UNKNOWN);
  }

  /** When this process is told to end: nodes would keep the disks from being unmounted. */
  private void abort() {
    NodeProcesses.kill();
    try {
      remove();
    } catch (IOException | InterruptedException | RuntimeException e) {
      System.err.println("kasane: disks could not be taken away: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      remove();
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeException("interrupted while disks were taken away", e);
    } catch (IllegalStateException e) {
      // The process ends already, and the hook has done or will do the same.
    }
  }

  private synchronized void remove() throws IOException, InterruptedException {
    if (!open) {
      return;
    }
    if (turn != null) {
      turn.close();
    }
    for (LoopDisk disk : disks.values()) {
      disk.close();
    }
    open = false;
  }
}
