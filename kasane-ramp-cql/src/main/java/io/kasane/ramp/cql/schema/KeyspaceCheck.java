/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import java.util.Set;

/** Judges whether a keyspace keeps what it acknowledges, on as many replicas as it says. */
public final class KeyspaceCheck {
  private static final Set<String> STRATEGIES = Set.of("SimpleStrategy", "NetworkTopologyStrategy");

  private KeyspaceCheck() {}

  /**
   * Returns if the keyspace is fit.
   *
   * @param dataCentres the names of the cluster's data centres
   * @throws RefusedSchemaException if it is not, with what to do
   */
  public static void check(KeyspaceFacts keyspace, Set<String> dataCentres) {
    if (!STRATEGIES.contains(keyspace.strategy()) || keyspace.allReplicas() == 0) {
      throw refused(
          keyspace,
          "is replicated with "
              + keyspace.strategy()
              + " "
              + keyspace.replicas()
              + "; transactions need NetworkTopologyStrategy with at least 1 replica.");
    }
    if (keyspace.strategy().equals("SimpleStrategy") && dataCentres.size() > 1) {
      throw refused(
          keyspace,
          "is replicated with SimpleStrategy in a cluster with the data centres "
              + dataCentres
              + ": nobody knows which of them has which replica. Use ALTER KEYSPACE with"
              + " NetworkTopologyStrategy, then a full repair.");
    }
    if (keyspace.transientReplicas()) {
      throw refused(
          keyspace,
          "has transient replicas, which forget versions. Use ALTER KEYSPACE with full replicas"
              + " only.");
    }
    if (!keyspace.durableWrites()) {
      throw refused(
          keyspace,
          "has durable_writes = false, which must be true: a node that restarts would forget what"
              + " was committed. Use ALTER KEYSPACE "
              + keyspace.name()
              + " WITH durable_writes = true.");
    }
  }

  private static RefusedSchemaException refused(KeyspaceFacts keyspace, String why) {
    return new RefusedSchemaException("Keyspace " + keyspace.name() + " " + why);
  }
}
