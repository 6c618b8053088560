/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.protocol.NotCommittedException;
import io.kasane.ramp.protocol.UnavailableException;
import io.kasane.ramp.protocol.UnknownOutcomeException;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.StoreException;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.ItemKey;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Failures that a unit test makes, by overriding what is to fail. */
class FailuresOnMemoryTest {
  private final AtomicBoolean fails = new AtomicBoolean(true);

  private <T> CompletionStage<T> noAnswer() {
    return CompletableFuture.failedStage(new StoreException("no answer", null));
  }

  private static RampTable<String, Integer> table(RampSession session) {
    return session.table("counts", Codecs.text(), Codecs.int32());
  }

  @Test
  void aCommitWithoutAnAnswerIsRetried() {
    TableStore store =
        new MemoryVersionStore() {
          @Override
          public CompletionStage<Void> commit(Collection<Write> writes) {
            return fails.getAndSet(false) ? noAnswer() : super.commit(writes);
          }
        };
    try (RampSession session = RampSession.over(store)) {
      RampTable<String, Integer> counts = table(session);
      UnknownOutcomeException unknown =
          catchThrowableOfType(UnknownOutcomeException.class, () -> session.put(counts, "a", 1));
      assertThat(session.newSession().get(counts, "a")).isEmpty();
      session.retry(unknown);
      assertThat(session.newSession().get(counts, "a")).contains(1);
    }
  }

  @Test
  void whatCannotBePreparedIsNotCommitted() {
    TableStore store =
        new MemoryVersionStore() {
          @Override
          public CompletionStage<Void> prepare(Collection<Write> writes) {
            return noAnswer();
          }
        };
    try (RampSession session = RampSession.over(store)) {
      RampTable<String, Integer> counts = table(session);
      assertThatThrownBy(() -> session.put(counts, "a", 1))
          .isInstanceOf(NotCommittedException.class);
      assertThat(session.get(counts, "a")).isEmpty();
    }
  }

  @Test
  void aReadWithoutAnAnswerFails() {
    TableStore store =
        new MemoryVersionStore() {
          @Override
          public CompletionStage<List<Answer>> readCommitted(
              List<ItemKey> keys, Strength strength) {
            return noAnswer();
          }
        };
    try (RampSession session = RampSession.over(store)) {
      RampTable<String, Integer> counts = table(session);
      assertThatThrownBy(() -> session.get(counts, "a")).isInstanceOf(UnavailableException.class);
    }
  }
}
