/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

/**
 * Where a node is, as {@code cassandra-rackdc.properties} says it.
 *
 * @param dataCentre the data centre's name
 * @param name the rack's name
 */
public record Rack(String dataCentre, String name) {
  /** The data centre of nodes that name none. */
  public static final String DATA_CENTRE = "datacenter1";

  /** A rack of the data centre that nodes are in which name none. */
  public static Rack of(String name) {
    return new Rack(DATA_CENTRE, name);
  }

  /** Returns the file's text. */
  String properties() {
    return "dc=" + dataCentre + "\nrack=" + name + "\n";
  }
}
