/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.ramp.cql.faults.Tally.Count;
import io.kasane.ramp.history.HistoryWriter;
import io.kasane.ramp.protocol.Environment;
import io.kasane.ramp.version.Timestamp;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The same user with what stock Cassandra has: logged batches, and parallel reads. */
final class BatchLoop implements LoadLoop {
  private final PlainTable table;
  private final Environment environment;
  private final HistoryWriter history;
  private final Tally tally;
  private final RandomGenerator random;
  private final long session;
  private long lastMicros;

  BatchLoop(
      PlainTable table,
      Environment environment,
      HistoryWriter history,
      Tally tally,
      RandomGenerator random) {
    this.table = table;
    this.environment = environment;
    this.history = history;
    this.tally = tally;
    this.random = random;
    this.session = history.newSession();
  }

  @Override
  public void step() {
    Set<Long> keys = LoadKeys.draw(random);
    if (random.nextInt(100) < 45) {
      put(keys);
    } else {
      get(keys);
    }
  }

  private void put(Set<Long> keys) {
    tally.add(Count.PUTS);
    long transaction = history.begin(session, keys, List.of());
    lastMicros = Math.max(lastMicros + 1, environment.wallMicros());
    Timestamp timestamp = new Timestamp(lastMicros, transaction);
    try {
      table.writeBatch(keys, transaction, lastMicros);
      history.acknowledged(transaction, timestamp);
    } catch (DriverException e) {
      tally.add(Count.PUTS_UNKNOWN);
      history.unknown(transaction, timestamp);
    }
  }

  private void get(Set<Long> keys) {
    tally.add(Count.GETS);
    try {
      history.read(session, table.read(keys));
    } catch (DriverException e) {
      tally.add(Count.GETS_UNAVAILABLE);
    }
  }
}
