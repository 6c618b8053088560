/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.lang.management.ManagementFactory;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.ObjectName;

/** The modelled disks of this process, and which files lie on them. */
public final class Devices {
  /** The system property that names the {@link Layout} file. */
  public static final String LAYOUT_PROPERTY = "kasane.disks";

  /** The system property that says whether disks take no time until they are told otherwise. */
  public static final String INSTANT_PROPERTY = "kasane.disks.instant";

  private final Map<Path, Device> byDirectory = new LinkedHashMap<>();
  private final AtomicBoolean registered = new AtomicBoolean();

  /**
   * Opens the disks of a layout.
   *
   * @param layout its directories must be paths of the real file system
   */
  Devices(Layout layout) {
    PageCache memory = new PageCache(layout.memoryBytes());
    for (Layout.Entry disk : layout.disks()) {
      UsedSpace space = new UsedSpace(disk.directory(), disk.capacityBytes());
      byDirectory.put(
          disk.directory(),
          new Device(disk.name(), disk.directory(), disk.spec(), disk.seed(), space, memory));
    }
  }

  /** Opens the disks that the system property describes, for paths of this file system. */
  public static Devices configured(FileSystem real) {
    String file = System.getProperty(LAYOUT_PROPERTY);
    if (file == null) {
      throw new IllegalStateException(
          "modelled disks: the system property " + LAYOUT_PROPERTY + " names no layout file");
    }
    return new Devices(Layout.read(real.getPath(file)));
  }

  /**
   * Not while they are opened: the first file may be opened before the runtime has an MBean server.
   */
  private void register() {
    if (registered.compareAndSet(false, true)) {
      byDirectory.values().forEach(Devices::register);
    }
  }

  private static void register(Device device) {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(device, new ObjectName("io.kasane.disk:type=Disk,name=" + device.name()));
    } catch (JMException e) {
      throw new IllegalStateException("modelled disk " + device.name(), e);
    }
  }

  /** Returns the disk that a real path lies on; none if its directory is not modelled. */
  public Optional<Device> of(Path realPath) {
    Path absolute = realPath.toAbsolutePath().normalize();
    for (Map.Entry<Path, Device> disk : byDirectory.entrySet()) {
      if (absolute.startsWith(disk.getKey())) {
        register();
        return Optional.of(disk.getValue());
      }
    }
    return Optional.empty();
  }
}
