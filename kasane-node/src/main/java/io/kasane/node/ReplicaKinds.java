/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Kinds of nodes of one cluster, one for each replica of a row: a kind is a rack, on which {@code
 * NetworkTopologyStrategy} puts one replica. Along the ring the kinds take turns.
 */
public final class ReplicaKinds {
  private static final String SEVERITY = ":";

  /**
   * A kind.
   *
   * @param rack its name
   * @param engine what its tables are in
   * @param severity how much reads avoid it; 0 for not at all
   */
  record Kind(String rack, String engine, double severity) {}

  private final List<Kind> kinds;

  private ReplicaKinds(List<Kind> kinds) {
    this.kinds = kinds;
  }

  /**
   * Reads {@code lsm:5,lmdb,redis}: engines, and the severities of those that reads are to avoid.
   * Of several of one engine the racks have numbers: {@code lmdb}, {@code lmdb2}.
   */
  public static ReplicaKinds parse(String text) {
    List<Kind> kinds = new ArrayList<>();
    List<String> engines = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      String[] parts = each.strip().split(SEVERITY, -1);
      if (parts.length > 2) {
        throw notAKind(text, each);
      }
      String engine = parts[0].strip();
      EngineMemtables.configurations(engine, List.of());
      engines.add(engine);
      int number = Collections.frequency(engines, engine);
      double severity = parts.length == 1 ? 0 : severity(text, each, parts[1].strip());
      kinds.add(new Kind(number == 1 ? engine : engine + number, engine, severity));
    }
    return new ReplicaKinds(kinds);
  }

  private static double severity(String text, String kind, String number) {
    try {
      double severity = Double.parseDouble(number);
      if (severity >= 0 && severity < 100) {
        return severity;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw notAKind(text, kind);
  }

  private static NodeException notAKind(String text, String kind) {
    return new NodeException(
        "kinds: '"
            + text
            + "': '"
            + kind
            + "' is not an engine, or an engine and how much reads avoid it, from 0 to below 100,"
            + " such as lsm:5");
  }

  /** Returns how many there are. */
  public int size() {
    return kinds.size();
  }

  /** Makes a node of the kind whose turn it is at the node's place of the ring. */
  public void apply(int index, NodeSettings.Builder settings) {
    Kind kind = kinds.get((index - 1) % kinds.size());
    settings.in(Rack.of(kind.rack())).engine(kind.engine());
    Map<String, Object> severities = new LinkedHashMap<>();
    for (Kind each : kinds) {
      if (each.severity() > 0) {
        severities.put(each.rack(), each.severity());
      }
    }
    if (!severities.isEmpty()) {
      settings.kasaneYaml("kinds", severities);
    }
  }
}
