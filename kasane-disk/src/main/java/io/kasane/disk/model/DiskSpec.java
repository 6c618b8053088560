/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

/** The figures of a disk, as its data sheet has them. */
public sealed interface DiskSpec permits HardDiskSpec, SolidStateSpec {
  /** Returns a disk with these figures, idle. */
  Disk open(long seed);

  /** Returns how far the operating system reads ahead of a sequential reader, in bytes. */
  long readAheadBytes();

  /** Returns the same disk {@code factor} times as fast in everything. */
  DiskSpec faster(double factor);

  /** Returns the figures in one line, for reports. */
  String describe();

  /** Finds one of the disks that have a name. */
  static DiskSpec named(String name) {
    return switch (name) {
      case "hdd-7200" -> HardDiskSpec.SATA_7200;
      case "ssd-sata" -> SolidStateSpec.SATA;
      default ->
          throw new IllegalArgumentException(
              "model: '" + name + "' is no disk that has figures here; take hdd-7200 or ssd-sata");
    };
  }
}
