/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counts what clients did, as a line of text between processes. Thread-safe. */
final class Tally {
  /** What is counted. */
  enum Count {
    PUTS,
    PUTS_NOT_COMMITTED,
    PUTS_UNKNOWN,
    PUTS_REFUSED,
    RETRIES,
    GETS,
    GETS_UNAVAILABLE,
    GETS_CONTENDED,
    GETS_LOST,
    PLAIN_WRITES,
    PLAIN_WRITES_FAILED,
    PLAIN_READS,
    PLAIN_READS_FAILED,
    ROUNDS,
    SECOND_ROUNDS,
    READS_AT_ALL,
    REPAIRS,
    COMPLETIONS,
    REPREPARED,
    COLLECTED,
    SWEEPS,
    SWEEPS_FAILED,
    ARENA_HITS,
    ARENA_ASKED
  }

  private static final String MARK = "tally ";

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  Tally() {
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
  }

  void add(Count count) {
    add(count, 1);
  }

  void add(Count count, long much) {
    counts.get(count).add(much);
  }

  void add(Tally other) {
    other.counts.forEach((count, sum) -> add(count, sum.sum()));
  }

  long of(Count count) {
    return counts.get(count).sum();
  }

  /** How many transactions were tried. */
  long transactions() {
    return of(Count.PUTS) + of(Count.GETS);
  }

  /** A line that {@link #isLine} knows. */
  String line() {
    return MARK
        + Arrays.stream(Count.values())
            .map(count -> count + "=" + of(count))
            .collect(Collectors.joining(" "));
  }

  static boolean isLine(String line) {
    return line.startsWith(MARK);
  }

  static Tally parse(String line) {
    Tally tally = new Tally();
    for (String field : line.substring(MARK.length()).split(" ", -1)) {
      int equals = field.indexOf('=');
      tally.add(
          Count.valueOf(field.substring(0, equals)), Long.parseLong(field.substring(equals + 1)));
    }
    return tally;
  }

  /** How many puts failed when they were first tried. */
  long putsFailed() {
    return of(Count.PUTS_NOT_COMMITTED) + of(Count.PUTS_UNKNOWN) + of(Count.PUTS_REFUSED);
  }

  /** Which share of the tries failed, beside plain CQL's. */
  String availability() {
    long getsFailed = of(Count.GETS_UNAVAILABLE) + of(Count.GETS_CONTENDED) + of(Count.GETS_LOST);
    return String.format(
        "failed: gets %d of %d, plain reads %d of %d; puts %d of %d, plain writes %d of %d",
        getsFailed,
        of(Count.GETS),
        of(Count.PLAIN_READS_FAILED),
        of(Count.PLAIN_READS),
        putsFailed(),
        of(Count.PUTS),
        of(Count.PLAIN_WRITES_FAILED),
        of(Count.PLAIN_WRITES));
  }

  @Override
  public String toString() {
    return line().substring(MARK.length());
  }
}
