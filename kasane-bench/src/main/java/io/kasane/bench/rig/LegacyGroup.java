/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Control groups of version 1. Its throttle knows who asks, but what is written from the page cache
 * is asked for by the kernel's own threads, in the root group. So the node is put there too, and
 * the root group's limits hold for a device that nobody else uses.
 */
final class LegacyGroup implements NodeGroup {
  private final Path memory;
  private final Optional<Path> blkio;
  private final List<DeviceNumber> limited = new ArrayList<>();

  private LegacyGroup(Path memory, Optional<Path> blkio) {
    this.memory = memory;
    this.blkio = blkio;
  }

  static LegacyGroup create(Path parent, Optional<Path> blkio, String name) throws IOException {
    Path memory = Files.createDirectories(parent.resolve(name));
    Path swappiness = memory.resolve("memory.swappiness");
    if (Files.exists(swappiness)) {
      NodeGroup.set(swappiness, "0"); // to empty the page cache is not to swap out the heap
    }
    return new LegacyGroup(memory, blkio);
  }

  @Override
  public void admit(long pid) throws IOException {
    NodeGroup.set(memory.resolve("cgroup.procs"), Long.toString(pid));
    if (blkio.isPresent()) {
      NodeGroup.set(blkio.get().resolve("cgroup.procs"), Long.toString(pid));
    }
  }

  @Override
  public void emptyPageCache() throws IOException {
    NodeGroup.set(memory.resolve("memory.force_empty"), "0");
  }

  @Override
  public long besideFilesBytes() throws IOException {
    return Long.parseLong(Files.readString(memory.resolve("memory.usage_in_bytes")).strip())
        - NodeGroup.number(memory.resolve("memory.stat"), "cache");
  }

  @Override
  public void limitMemory(long bytes) throws IOException {
    NodeGroup.set(memory.resolve("memory.limit_in_bytes"), Long.toString(bytes));
  }

  @Override
  public void limit(DeviceNumber device, DiskLimits limits) throws IOException {
    limited.add(device);
    set(device, limits.readsPerSecond(), limits.writesPerSecond(), limits.bytesPerSecond());
  }

  private void set(DeviceNumber device, long reads, long writes, long bytes) throws IOException {
    for (var limit : settings(reads, writes, bytes).entrySet()) {
      NodeGroup.set(blkio.orElseThrow().resolve(limit.getKey()), device + " " + limit.getValue());
    }
  }

  /** The settings of a disk; 0 means no limit. */
  static Map<String, Long> settings(long reads, long writes, long bytes) {
    Map<String, Long> settings = new LinkedHashMap<>();
    settings.put("blkio.throttle.read_iops_device", reads);
    settings.put("blkio.throttle.write_iops_device", writes);
    settings.put("blkio.throttle.read_bps_device", bytes);
    settings.put("blkio.throttle.write_bps_device", bytes);
    return settings;
  }

  @Override
  public void close() throws IOException {
    for (DeviceNumber device : limited) {
      set(device, 0, 0, 0);
    }
    limited.clear();
    Files.deleteIfExists(memory);
  }
}
