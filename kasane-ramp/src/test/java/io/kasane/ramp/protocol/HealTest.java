/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HealTest extends ProtocolFixture {
  @Test
  void whatIsLeftBecomesATransactionOfItsOwn() {
    Version half = version(at(-5), Mode.FAST, A, B, C);
    store.doCommit(new Write(A, half));
    store.doPrepare(new Write(C, half));

    Timestamp healed = done(client.heal(lost()));

    assertThat(healed.micros()).isEqualTo(half.timestamp().micros() + 1);
    ReadResult after = get(A, B, C);
    assertThat(after.versions()).containsOnlyKeys(A, C);
    assertThat(after.versions().values())
        .allSatisfy(
            version -> {
              assertThat(version.timestamp()).isEqualTo(healed);
              assertThat(version.value()).isEqualTo(half.value());
              assertThat(version.siblings()).isEqualTo(new SiblingNames(Set.of(A, C)));
            });
    environment.pass(seconds(61));
    assertThat(store.calls).contains("collect a", "collect c");
  }

  @Test
  void aReaderOfAStaleReplicaSeesTheHealing() {
    Version half = version(at(-5), Mode.FAST, A, B);
    store.doCommit(new Write(A, half));
    Timestamp healed = done(client.heal(lost()));
    store.show(Strength.FIRST_ROUND, A, new Answer.Present(half));

    assertThat(get(A, B).versions().get(A).timestamp()).isEqualTo(healed);
  }

  @Test
  void whatIsNewerStays() {
    store.doCommit(new Write(A, version(at(-5), Mode.FAST, A, B)));
    LostVersionException lost = lost();
    Version newer = commit(at(-4), Mode.FAST, A);

    assertThat(done(client.heal(lost))).isEqualTo(lost.timestamp());
    assertThat(store.committed).containsEntry(A, newer);
  }

  @Test
  void twoThatWereLostInOneMicrosecondAreHealedAsTwo() {
    long micros = at(-5).micros();
    Version one = version(new Timestamp(micros, 1), Mode.FAST, A, B);
    Version other = version(new Timestamp(micros, 2), Mode.FAST, C, key("d"));
    store.doCommit(new Write(A, one));
    store.doCommit(new Write(C, other));

    Timestamp first = done(client.heal(lost()));
    Timestamp second =
        done(
            client.heal(
                failure(
                    LostVersionException.class,
                    client.get(ReadSet.of(Set.of(C, key("d"))), client.newSession()))));

    assertThat(first.micros()).isEqualTo(second.micros()).isEqualTo(micros + 1);
    assertThat(first).isNotEqualTo(second);
    assertThat(put(B).client()).isNotIn(first.client(), second.client());
  }

  @Test
  void allReplicasMustAnswer() {
    store.doCommit(new Write(A, version(at(-5), Mode.FAST, A, B)));
    LostVersionException lost = lost();
    store.refuses = call -> call.contains("ALL");

    failure(UnavailableException.class, client.heal(lost));
    assertThat(store.calls).noneMatch(call -> call.startsWith("prepare"));
  }

  private LostVersionException lost() {
    return failure(
        LostVersionException.class, client.get(ReadSet.of(Set.of(A, B)), client.newSession()));
  }
}
