/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.node.NodeException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One node, or three nodes that have a replica of each row each. */
enum KindsSystem {
  LSM("lsm", "lsm", false),
  LMDB("lmdb", "lmdb", false),
  ROCKSDB("rocksdb", "rocksdb", false),
  INNODB("innodb", "innodb", false),
  REDIS("redis", "redis", false),
  LMDB_THROUGH("lmdb-through", "lmdb", true),
  ROCKSDB_THROUGH("rocksdb-through", "rocksdb", true),
  INNODB_THROUGH("innodb-through", "innodb", true),
  REDIS_THROUGH("redis-through", "redis", true),

  /** The paper's cluster: writes are answered by lsm and redis, reads by innodb and redis. */
  CLUSTER_MIXED("cluster-lsm+innodb+redis", "lsm:5,innodb,redis", false),

  /** The same as stock Cassandra reads it: its dynamic snitch alone. */
  CLUSTER_UNSTEERED("cluster-unsteered", "lsm,innodb,redis", false),

  /** The mix, with clients that ask nodes last to coordinate that reads avoid. */
  CLUSTER_AT_READERS("cluster-at-readers", "lsm:5,innodb,redis", false),

  CLUSTER_LSM("cluster-lsm", "lsm,lsm,lsm", false),
  CLUSTER_INNODB("cluster-innodb", "innodb,innodb,innodb", false),
  CLUSTER_REDIS("cluster-redis", "redis,redis,redis", false),

  /** The recommended cluster: two replicas on fast disks, one on a cheap one that reads avoid. */
  CLUSTER_SSD_SSD_HDD("cluster-ssd+ssd+hdd", Media.of("ssd", "ssd2", "hdd").avoiding("hdd")),

  /** The same as stock Cassandra reads it. */
  CLUSTER_SSD_SSD_HDD_UNSTEERED("cluster-ssd+ssd+hdd-unsteered", Media.of("ssd", "ssd2", "hdd")),

  CLUSTER_SSD("cluster-ssd", Media.of("ssd", "ssd2", "ssd3")),
  CLUSTER_HDD("cluster-hdd", Media.of("hdd", "hdd2", "hdd3")),

  /** The recommended cluster with one of its fast nodes down. */
  CLUSTER_SSD_SSD_HDD_DOWN(
      "cluster-ssd+ssd+hdd-down",
      Media.of("ssd", "ssd2", "hdd").avoiding("hdd").withoutNode("ssd2"));

  /** What is compared with each other. */
  enum Part {
    ENGINES("engines", "one node"),
    CLUSTERS("clusters", "three nodes"),
    DISKS("disks", "three nodes on modelled disks");

    private final String label;
    private final String title;

    Part(String label, String title) {
      this.label = label;
      this.title = title;
    }

    String label() {
      return label;
    }

    String title() {
      return title;
    }
  }

  private static final String CLUSTER = "cluster-";
  private static final int REPLICAS = 3;

  private final String label;
  private final String kinds;
  private final boolean isThrough;

  @SuppressWarnings("ImmutableEnumChecker") // a record of lists that nobody can change
  private final Media media;

  KindsSystem(String label, String kinds, boolean isThrough) {
    this.label = label;
    this.kinds = kinds;
    this.isThrough = isThrough;
    this.media = null;
  }

  KindsSystem(String label, Media media) {
    this.label = label;
    this.kinds = String.join(",", Collections.nCopies(REPLICAS, "lsm"));
    this.isThrough = false;
    this.media = media;
  }

  /** Returns its name in tables and summaries. */
  String label() {
    return label;
  }

  /** Returns the kinds of its nodes, as {@code kasane up --kinds} reads them. */
  String kinds() {
    return kinds;
  }

  /** Whether each write goes into the engine at once. */
  boolean isThrough() {
    return isThrough;
  }

  /** Returns how many nodes it has, and so many replicas has each row. */
  int nodes() {
    return kinds.split(",", -1).length;
  }

  /** Whether all of its nodes are of one kind. */
  boolean isHomogeneous() {
    return media == null
        ? Arrays.stream(kinds.split(",", -1)).distinct().count() == 1
        : media.isOfOneKind();
  }

  boolean isCluster() {
    return label.startsWith(CLUSTER);
  }

  Part part() {
    return media != null ? Part.DISKS : isCluster() ? Part.CLUSTERS : Part.ENGINES;
  }

  /** Returns the rack whose nodes clients ask last; empty if they ask all alike. */
  Optional<String> unaskedRack() {
    return this == CLUSTER_AT_READERS ? Optional.of("lsm") : Optional.empty();
  }

  /** Returns the disks of its nodes; none if they are on this machine's own. */
  Optional<Media> media() {
    return Optional.ofNullable(media);
  }

  /** Returns the system of this name. */
  static KindsSystem named(String label) {
    return values()[labels().indexOf(label)];
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(KindsSystem::label).toList();
  }

  /**
   * The systems to run.
   *
   * @param only their names; null for all
   */
  static List<KindsSystem> chosen(Set<String> only) {
    if (only != null) {
      for (String name : only) {
        if (!labels().contains(name)) {
          throw new NodeException(
              "--only: '" + name + "' is none of " + String.join(", ", labels()));
        }
      }
    }
    return Arrays.stream(values()).filter(one -> only == null || only.contains(one.label)).toList();
  }
}
