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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SweeperTest extends ProtocolFixture {
  private static final CollectionKey LIST = CollectionKey.of(item("l", "1"));

  @Test
  void whatAReadMetIsSweptAtOnceAndAWindowAndADriftLater() {
    delete(0, 128, at(-5));
    read();
    assertThat(sweeps()).containsExactly("openSweep l");
    read();
    environment.pass(Duration.ofSeconds(89));
    assertThat(sweeps()).containsExactly("openSweep l");
    environment.pass(seconds(1));
    assertThat(sweeps()).containsExactly("openSweep l", "sweep l");
    assertThat(client.statistics().sweeps()).isEqualTo(1);
    read();

    assertThat(sweeps()).containsExactly("openSweep l", "sweep l", "openSweep l");
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
    assertThat(sweeps()).isEmpty();
    delete(128, 129, at(-91));
    read();

    assertThat(sweeps()).hasSize(1);
  }

  @Test
  void aSweepThatCannotBeginIsTriedAgainByTheNextRead() {
    delete(0, 128, at(-5));
    store.refuses = call -> call.startsWith("openSweep");
    read();
    environment.pass(seconds(91));
    store.refuses = call -> false;
    read();
    environment.pass(seconds(91));

    assertThat(sweeps()).containsExactly("openSweep l", "openSweep l", "sweep l");
  }

  private List<String> sweeps() {
    return store.calls.stream().filter(call -> call.contains("weep")).toList();
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
