/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.lab.Machine;
import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.load.Table;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import io.kasane.node.Rack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The disks of a cluster's nodes, one modelled disk each: a kind of disk is a rack, and tells by
 * its name which disk. Solid state disks are compacted by levels, hard disks by size.
 *
 * @param racks one for each node
 * @param avoided the rack that reads are steered away from; nodes of clusters without are stock
 *     Cassandra
 * @param down the rack whose node is killed when it has all rows
 */
record Media(List<String> racks, Optional<String> avoided, Optional<String> down) {
  /**
   * Both disks at a fiftieth of their speed: the proportion between them stays, and a fast disk is
   * busy before two processors are that serve three nodes and their clients.
   */
  static final double FASTER = 0.02;

  private static final String HARD_DISK = "hdd";
  private static final String DISK = "disk";
  private static final long DISK_BYTES = 1L << 40;
  private static final int SEVERITY = 5;
  private static final int CONCURRENT_READS = 32;

  /**
   * A read of a hard disk waits for the reads before it, each of which takes two thirds of a
   * second.
   */
  private static final String TIMEOUT = "60s";

  private static final String TABLE_BEAN =
      "org.apache.cassandra.db:type=Tables,keyspace=" + Table.KEYSPACE + ",table=" + Table.NAME;
  private static final String BY_SIZE = "{\"class\":\"SizeTieredCompactionStrategy\"}";
  private static final String BY_LEVELS =
      "{\"class\":\"LeveledCompactionStrategy\",\"sstable_size_in_mb\":\"4\"}";

  private static final ModelRig RIG = new ModelRig(FASTER, true);

  static Media of(String... racks) {
    return new Media(List.of(racks), Optional.empty(), Optional.empty());
  }

  Media avoiding(String rack) {
    return new Media(racks, Optional.of(rack), down);
  }

  Media withoutNode(String rack) {
    return new Media(racks, avoided, Optional.of(rack));
  }

  static DiskRole role(String rack) {
    return rack.startsWith(HARD_DISK) ? DiskRole.SLOW : DiskRole.FAST;
  }

  boolean isOfOneKind() {
    return racks.stream().map(Media::role).distinct().count() == 1;
  }

  /** Returns the racks whose nodes are not killed. */
  List<String> nodesUp() {
    return racks.stream().filter(rack -> !down.equals(Optional.of(rack))).toList();
  }

  /** Puts a node, which has a number from 1, on its disk. */
  void apply(int number, NodeSettings.Builder node, KindsScale scale) {
    String rack = racks.get(number - 1);
    Path directory = node.build().dir();
    Path disk = directory.resolve(DISK);
    node.in(Rack.of(rack))
        .withKasane(avoided.isPresent())
        .slow(disk.resolve("slow"))
        .fast(disk.resolve("fast"))
        .yaml("local_system_data_file_directory", directory.resolve("system").toString())
        .yaml("concurrent_reads", CONCURRENT_READS)
        .yaml("read_request_timeout", TIMEOUT)
        .yaml("write_request_timeout", TIMEOUT)
        .yaml("min_free_space_per_drive", "0MiB");
    avoided.ifPresentOrElse(
        slow -> node.kasaneYaml("kinds", Map.of(slow, SEVERITY)),
        () -> node.yaml("data_file_directories", List.of(disk.resolve("slow").toString())));
    RIG.attach(
        node,
        directory,
        List.of(new DiskRig.Placed(DISK, role(rack), disk, DISK_BYTES, false)),
        new Machine(
            scale.pageCacheMib(),
            scale.memtableMib() << 10,
            CONCURRENT_READS,
            scale.clients(),
            0,
            DISK_BYTES));
  }

  /** Has a node compact as its disk is best used. */
  static void compact(NodeJmx jmx, String rack) throws IOException {
    jmx.setAttribute(
        TABLE_BEAN, "CompactionParametersJson", role(rack) == DiskRole.FAST ? BY_LEVELS : BY_SIZE);
  }

  /** Lets requests take the time of the disk, or none. */
  static void setTimed(NodeJmx jmx, boolean isTimed) throws IOException {
    if (isTimed) {
      RIG.measure(jmx, DISK);
    } else {
      RIG.hurry(jmx, DISK);
    }
  }
}
