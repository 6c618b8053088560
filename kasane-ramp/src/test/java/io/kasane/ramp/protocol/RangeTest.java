/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Version;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Part of a collection is as whole as all of it. */
class RangeTest extends ProtocolFixture {
  private static final ItemKey ONE = item("l", "1");
  private static final ItemKey TWO = item("l", "2");
  private static final ItemKey THREE = item("l", "3");
  private static final ItemKey FOUR = item("l", "4");

  @Test
  void aPageEndsAtItsLimit() {
    commit(at(-9), Mode.FAST, ONE, TWO, THREE);

    ReadResult page = read(range("", "", 2));

    assertThat(page.versions()).containsOnlyKeys(ONE, TWO);
    assertThat(page.nexts()).containsEntry(range("", "", 2), Optional.of(THREE.item()));
    assertThat(page.rounds()).isEqualTo(1);
  }

  @Test
  void whatSiblingsNameWithinThePageIsFetched() {
    commit(at(-9), Mode.FAST, ONE, FOUR);
    Version half = half(at(-5), Mode.FAST, THREE, TWO);

    ReadResult page = read(range("2", "4", 5));

    assertThat(page.rounds()).isEqualTo(2);
    assertThat(page.versions()).containsOnlyKeys(TWO, THREE).containsEntry(TWO, half);
  }

  @Test
  void whatSiblingsNameBehindThePageIsNot() {
    half(at(-5), Mode.FAST, ONE, TWO, FOUR);
    commit(at(-9), Mode.FAST, THREE);

    ReadResult page = read(range("", "2", 5));

    assertThat(page.rounds()).isEqualTo(1);
    assertThat(page.versions()).containsOnlyKeys(ONE);
  }

  /** Else each page of a session's own collection would look for all that it wrote. */
  @Test
  void whatTheSessionSawBehindThePageIsNotLookedFor() {
    put(ONE, TWO, THREE, FOUR);
    store.committed.remove(FOUR);

    assertThat(read(range("", "", 1)).versions()).containsOnlyKeys(ONE);
    assertThat(read(range("2", "4", 9)).versions()).containsOnlyKeys(TWO, THREE);
    assertThat(store.calls).noneMatch(call -> call.startsWith("candidates"));

    assertThat(read(range("2", "", 9)).versions()).containsOnlyKeys(TWO, THREE, FOUR);
  }

  @Test
  void aDeletionMeetsWhatIsDemandedOfAPageThatAQuorumShowed() {
    store.quorums = strength -> true;
    Version moved =
        new Version(
            at(-5),
            new SiblingNames(Set.of(ONE, TWO), Set.of(TWO)),
            Optional.of(Bytes.utf8("moved")));
    store.doCommit(new Write(ONE, moved));

    ReadResult page = read(range("", "3", 5));

    assertThat(page.rounds()).isEqualTo(1);
    assertThat(page.versions().get(TWO).isDeletion()).isTrue();
  }

  @Test
  void pagesOfOneReadTransactionFitTogether() {
    commit(at(-9), Mode.FAST, ONE, TWO, THREE);
    boolean[] moved = new boolean[1];
    store.before =
        call -> {
          if (store.calls.size() == 2 && !moved[0]) {
            moved[0] = true;
            commit(at(-5), Mode.FAST, ONE, THREE);
          }
        };

    ReadResult first =
        done(
            client.readTransaction(
                tx ->
                    tx.get(ReadSet.of(range("", "", 1)))
                        .thenCompose(
                            page -> tx.get(ReadSet.of(range("2", "", 5))).thenApply(two -> page)),
                session));

    assertThat(moved[0]).isTrue();
    assertThat(first.versions().get(ONE).timestamp()).isEqualTo(at(-5));
  }

  private ReadResult read(ItemRange range) {
    return done(client.get(ReadSet.of(range), session));
  }

  private static ItemRange range(String from, String before, int limit) {
    return new ItemRange(
        ONE.table(),
        ONE.partition(),
        Bytes.utf8(from),
        Optional.of(before).filter(end -> !end.isEmpty()).map(Bytes::utf8),
        limit);
  }
}
