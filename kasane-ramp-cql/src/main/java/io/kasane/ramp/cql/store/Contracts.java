/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.kasane.ramp.cql.schema.RefusedSchemaException;
import io.kasane.ramp.cql.schema.TableContract;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.version.Mode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What a client's options say of what all clients of a table must share. Another window or grace
 * deletes what others still look for; a write level that meets its own client's reads may miss
 * those of others; and who relies on names of siblings cannot have others write none.
 */
public final class Contracts {
  private static final String WINDOW = "gcWindow";
  private static final String GRACE = "gcGrace";
  private static final String DRIFT = "maxClockDrift";
  private static final String MODE = "mode";
  private static final String PREPARE = "prepare";
  private static final String COMMIT = "commit";
  private static final String MARKER_CHECK = "markerCheck";
  private static final String SECOND_ROUND = "secondRound";

  private Contracts() {}

  /** The contract of a client. */
  public static TableContract of(RampOptions options, Levels levels) {
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put(WINDOW, options.gcWindow().toString());
    terms.put(GRACE, options.gcGrace().toString());
    terms.put(DRIFT, options.maxClockDrift().toString());
    terms.put(MODE, options.mode().name());
    terms.put(PREPARE, levels.prepare().name());
    terms.put(COMMIT, levels.commit().name());
    terms.put(MARKER_CHECK, levels.markerCheck().name());
    terms.put(SECOND_ROUND, levels.secondRound().name());
    return TableContract.of(terms);
  }

  /** The options, changed to what a contract asks for; a shorter window shortens the deadline. */
  public static RampOptions options(TableContract contract, RampOptions options) {
    Duration window = term(contract, WINDOW, Duration::parse, options.gcWindow());
    Duration longest = window.dividedBy(2).minusMillis(1);
    Duration deadline = options.deadline().compareTo(longest) > 0 ? longest : options.deadline();
    return options
        .withDeadline(deadline)
        .withGcGrace(max(window, options.gcGrace()))
        .withGcWindow(window)
        .withGcGrace(term(contract, GRACE, Duration::parse, options.gcGrace()))
        .withMaxClockDrift(term(contract, DRIFT, Duration::parse, options.maxClockDrift()))
        .withMode(term(contract, MODE, Mode::valueOf, options.mode()));
  }

  /** The levels, changed to what a contract asks for. */
  public static Levels levels(TableContract contract, Levels levels) {
    return levels
        .withWrites(
            level(contract, PREPARE, levels.prepare()), level(contract, COMMIT, levels.commit()))
        .withMarkerCheck(level(contract, MARKER_CHECK, levels.markerCheck()))
        .withSecondRound(level(contract, SECOND_ROUND, levels.secondRound()));
  }

  private static ConsistencyLevel level(
      TableContract contract, String name, ConsistencyLevel otherwise) {
    return term(contract, name, DefaultConsistencyLevel::valueOf, otherwise);
  }

  private static <T> T term(
      TableContract contract, String name, Function<String, ? extends T> parse, T otherwise) {
    String value = contract.terms().getOrDefault(name, TableContract.ANY);
    try {
      return value.equals(TableContract.ANY) ? otherwise : parse.apply(value);
    } catch (DateTimeParseException | IllegalArgumentException e) {
      throw new RefusedSchemaException(
          "The table's comment says "
              + name
              + "="
              + value
              + ", which is none; ALTER its comment to what its clients have, or open the session"
              + " without asTable");
    }
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
