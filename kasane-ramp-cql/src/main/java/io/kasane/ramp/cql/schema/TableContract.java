/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What all clients of a table must agree on, name by name. It stands in the table's comment, behind
 * the mark, as {@code {gcWindow=PT1M, mode=FAST}}; whoever opens the table compares it. Immutable.
 */
public final class TableContract {
  /** A value with which every other one agrees. */
  public static final String ANY = "ANY";

  private static final Pattern TEXT = Pattern.compile("\\{([^{}]*)\\}");

  private final Map<String, String> terms;

  private TableContract(Map<String, String> terms) {
    this.terms = Collections.unmodifiableMap(new LinkedHashMap<>(terms));
  }

  /** A contract of these terms, in their order. */
  public static TableContract of(Map<String, String> terms) {
    return new TableContract(terms);
  }

  /** The contract in a table's comment, if there is one. */
  public static Optional<TableContract> in(String comment) {
    Matcher text = TEXT.matcher(comment);
    if (!text.find()) {
      return Optional.empty();
    }
    Map<String, String> terms = new LinkedHashMap<>();
    for (String term : text.group(1).split(",", -1)) {
      String[] parts = term.split("=", 2);
      terms.put(parts[0].strip(), parts.length == 2 ? parts[1].strip() : "");
    }
    return Optional.of(new TableContract(terms));
  }

  /** The terms by name, in their order. */
  public Map<String, String> terms() {
    return terms;
  }

  /** Where another client's terms are others, in words; empty if it agrees. */
  List<String> differences(TableContract client) {
    List<String> differences = new ArrayList<>();
    client.terms.forEach(
        (name, value) -> {
          String given = terms.getOrDefault(name, "nothing");
          if (!given.equals(value) && !given.equals(ANY)) {
            differences.add(name + " is " + given + " in the table and " + value + " here");
          }
        });
    return differences;
  }

  /** As it stands in a comment. */
  @Override
  public String toString() {
    return terms.entrySet().stream()
        .map(term -> term.getKey() + "=" + term.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
