/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SweeperTest extends ProtocolFixture {
  private static final CollectionKey LIST = CollectionKey.of(item("l", "1"));

  @Test
  void whatAReadMetIsSweptAWindowAndADriftLater() {
    delete(0, 127, at(-5));
    delete(127, 128, at(-1));
    read();
    environment.pass(Duration.ofSeconds(50));
    delete(200, 210, at(0));
    read();
    environment.skew(Duration.ofDays(1));
    environment.pass(Duration.ofSeconds(39));
    assertThat(store.calls).noneMatch(call -> call.startsWith("sweep"));
    environment.pass(seconds(1));
    assertThat(store.calls).filteredOn(call -> call.startsWith("sweep")).hasSize(1);
    assertThat(store.sweptUpTo).containsExactly(version(127).timestamp().micros());
    read();
    environment.pass(seconds(90));

    assertThat(store.sweptUpTo).hasSize(2).last().isEqualTo(version(209).timestamp().micros());
    assertThat(client.statistics().sweeps()).isEqualTo(2);
  }

  @Test
  void fewDeletionsOrThoseBesideMoreThatLiveAreLeftAlone() {
    delete(0, 127, at(-91));
    read();
    for (int number = 1_000; number < 1_128; number++) {
      commit(at(-91), Mode.FAST, item("l", "" + number));
    }
    delete(127, 128, at(-91));
    read();
    environment.pass(seconds(91));
    assertThat(store.sweptUpTo).isEmpty();
    delete(128, 129, at(-91));
    read();
    environment.pass(seconds(91));

    assertThat(store.sweptUpTo).hasSize(1);
  }

  @Test
  void deletionsFromTheFutureAndWrongClocksSweepNothing() {
    delete(0, 200, at(31));
    read();
    environment.pass(seconds(91));
    delete(200, 500, at(0));
    read();
    client.clockIsAhead(Duration.ofMinutes(1));
    environment.pass(seconds(91));
    assertThat(store.sweptUpTo).isEmpty();
    client.clockIsAhead(Duration.ZERO);
    read();
    environment.pass(seconds(91));

    assertThat(store.sweptUpTo).hasSize(1);
  }

  @Test
  void whatAClockTookForThePastAndIsOfTheFutureIsNotSwept() {
    environment.skew(Duration.ofMinutes(5));
    delete(0, 200, at(0));
    read();
    environment.skew(Duration.ZERO);
    environment.pass(seconds(91));

    assertThat(store.sweptUpTo).hasSize(1).allMatch(upTo -> upTo <= at(-90).micros());
  }

  private Version version(int number) {
    return store.committed.get(item("l", "" + number));
  }

  @Test
  void aPutThatIsRetriedLongAfterItsTimeTakesAnotherOne() {
    store.refuses = call -> call.startsWith("prepare");
    NotCommittedException failed =
        failure(NotCommittedException.class, client.put(values(A), session));
    store.refuses = call -> false;
    environment.pass(Duration.ofSeconds(11));
    Timestamp later = done(failed.retryAsync());

    assertThat(later.micros() - failed.timestamp().micros()).isGreaterThanOrEqualTo(11_000_000);
  }

  private void delete(int from, int to, Timestamp timestamp) {
    for (int number = from; number < to; number++) {
      ItemKey item = item("l", "" + number);
      store.doCommit(
          new Write(
              item, new Version(timestamp, new SiblingNames(Set.of(item)), Optional.empty())));
    }
  }

  private void read() {
    done(client.get(ReadSet.of(LIST), client.newSession()));
    environment.pass(Duration.ofMillis(1));
  }
}
