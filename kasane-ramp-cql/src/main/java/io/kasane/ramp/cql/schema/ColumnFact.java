/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

/**
 * A column as Cassandra's schema tables have it.
 *
 * @param name its name
 * @param type its CQL type
 * @param kind partition_key, clustering, regular or static
 * @param position within the key, from 0; -1 outside
 * @param order asc or desc within the clustering; none outside
 */
public record ColumnFact(String name, String type, String kind, int position, String order) {
  @Override
  public String toString() {
    return kind.equals("regular") || kind.equals("static")
        ? name + " " + type + " (" + kind + ")"
        : name + " " + type + " (" + kind + " " + position + ", " + order + ")";
  }
}
