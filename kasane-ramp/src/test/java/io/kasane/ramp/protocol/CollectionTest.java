/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CollectionTest extends ProtocolFixture {
  private static final ItemKey ONE = item("l", "1");
  private static final ItemKey TWO = item("l", "2");
  private static final ItemKey OTHER = item("m", "1");

  @Test
  void allItemsAreReadInOneRound() {
    Version one = commit(at(-9), Mode.FAST, ONE);
    Version two = commit(at(-5), Mode.FAST, TWO);
    commit(at(-5), Mode.FAST, OTHER);

    ReadResult list = list();

    assertThat(list.rounds()).isEqualTo(1);
    assertThat(list.versions()).hasSize(2).containsEntry(ONE, one).containsEntry(TWO, two);
    assertThat(store.calls).containsExactly("collection FIRST_ROUND l");
  }

  @Test
  void anItemThatASiblingNamesIsFetched() {
    commit(at(-9), Mode.FAST, ONE);
    Version half = half(at(-5), Mode.FAST, TWO, ONE);

    ReadResult list = list();

    assertThat(list.rounds()).isEqualTo(2);
    assertThat(list.versions()).containsEntry(ONE, half).containsEntry(TWO, half);
    assertThat(store.committed).containsEntry(ONE, half);
  }

  /** Deletions leave a collection, and are forgotten in the end. */
  @Test
  void anItemThatASiblingSaysIsDeletedIsNotLookedFor() {
    store.quorums = strength -> true;
    Version moved = moves(at(-5), ONE, TWO);
    store.doCommit(new Write(ONE, moved));

    ReadResult list = list();

    assertThat(list.rounds()).isEqualTo(1);
    assertThat(list.versions().get(TWO).isDeletion()).isTrue();
    assertThat(session.floors().of(ReadSet.of(Set.of(TWO)))).containsEntry(TWO, at(-5));
  }

  @Test
  void anOlderItemIsReplacedByItsDeletion() {
    Version old = commit(at(-9), Mode.FAST, TWO);
    Version moved = moves(at(-5), ONE, TWO);
    store.doCommit(new Write(ONE, moved));
    Version deletion = new Version(at(-5), moved.siblings(), Optional.empty());
    store.doPrepare(new Write(TWO, deletion));

    ReadResult list = list();

    assertThat(old.isDeletion()).isFalse();
    assertThat(list.rounds()).isEqualTo(2);
    assertThat(list.versions()).containsEntry(TWO, deletion);
    assertThat(store.committed).containsEntry(TWO, deletion);
  }

  @Test
  void whatASessionDeletedIsNotLookedFor() {
    store.quorums = strength -> true;
    commit(at(-9), Mode.FAST, ONE);
    done(client.put(Map.of(TWO, Optional.empty()), session));
    store.committed.remove(TWO); // as a sweep does, for those who read the collection

    assertThat(list().rounds()).isEqualTo(1);
  }

  private static Version moves(Timestamp timestamp, ItemKey to, ItemKey from) {
    return new Version(
        timestamp,
        new SiblingNames(Set.of(to, from), Set.of(from)),
        Optional.of(Bytes.utf8("moved")));
  }

  @Test
  void aKeyBesideTheCollectionDemandsItems() {
    Version half = half(at(-5), Mode.FAST, A, ONE);

    ReadSet both = new ReadSet(Set.of(A), Set.of(CollectionKey.of(ONE).all()));
    ReadResult result = done(client.get(both, session));

    assertThat(result.versions()).hasSize(2).containsEntry(ONE, half);
  }

  @Test
  void anItemMovedBetweenCollectionsIsInOneOfThem() {
    Version moved = half(at(-5), Mode.FAST, OTHER, ONE);
    Set<ItemRange> lists = Set.of(CollectionKey.of(ONE).all(), CollectionKey.of(OTHER).all());

    ReadResult result = done(client.get(new ReadSet(Set.of(), lists), session));

    assertThat(result.versions()).containsEntry(ONE, moved).containsEntry(OTHER, moved);
  }

  @Test
  void whatNamesNoItemsDemandsNone() {
    commit(at(-5), Mode.SMALL, A);
    commit(at(-9), Mode.FAST, ONE);

    ReadSet both = new ReadSet(Set.of(A, ONE), Set.of(CollectionKey.of(ONE).all()));
    assertThat(done(client.get(both, session)).rounds()).isEqualTo(1);
  }

  @Test
  void anItemThatIsLostIsNamed() {
    store.doCommit(new Write(ONE, version(at(-5), Mode.FAST, ONE, TWO)));

    LostVersionException lost =
        failure(
            LostVersionException.class,
            client.get(ReadSet.of(CollectionKey.of(ONE).all()), session));

    assertThat(lost.lost()).containsExactly(TWO);
  }

  @Test
  void anOlderItemIsReplacedByTheDemandedOne() {
    Version old = commit(at(-9), Mode.FAST, ONE);
    Version fresh = commit(at(-5), Mode.FAST, ONE, TWO);
    store.show(Strength.FIRST_ROUND, ONE, new Answer.Present(old));

    assertThat(list().versions()).containsEntry(ONE, fresh);
  }

  private ReadResult list() {
    return done(client.get(ReadSet.of(CollectionKey.of(ONE).all()), session));
  }
}
