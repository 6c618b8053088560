/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import java.util.Set;

/**
 * A table as Cassandra's schema tables have it.
 *
 * @param keyspace where it is
 * @param name its name
 * @param columns all of them
 * @param comment its comment
 * @param defaultTimeToLiveSeconds after which time rows vanish; 0 for never
 * @param gcGraceSeconds how long tombstones are kept
 * @param readRepair BLOCKING or NONE
 * @param changeDataCapture whether its changes are handed to others
 * @param views the materialized views of it
 * @param triggers its triggers
 * @param indexes its indexes
 */
public record TableFacts(
    String keyspace,
    String name,
    Set<ColumnFact> columns,
    String comment,
    int defaultTimeToLiveSeconds,
    int gcGraceSeconds,
    String readRepair,
    boolean changeDataCapture,
    Set<String> views,
    Set<String> triggers,
    Set<String> indexes) {
  /** Takes copies. */
  public TableFacts {
    columns = Set.copyOf(columns);
    views = Set.copyOf(views);
    triggers = Set.copyOf(triggers);
    indexes = Set.copyOf(indexes);
  }
}
