/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a store owes those who read collections, all of them or some of their items. */
public abstract class CollectionStoreContract extends SweptStoreContract {
  @Test
  void aCollectionIsReadWhole() throws Exception {
    Bytes partition = Bytes.utf8("collection" + KEYS.incrementAndGet());
    Bytes other = Bytes.utf8("collection" + KEYS.incrementAndGet());
    ItemKey one = new ItemKey(table(), partition, Bytes.utf8("one"));
    ItemKey two = new ItemKey(table(), partition, Bytes.utf8("two"));
    ItemKey gone = new ItemKey(table(), partition, Bytes.utf8("gone"));
    ItemKey unseen = new ItemKey(table(), partition, Bytes.utf8("unseen"));
    ItemKey elsewhere = new ItemKey(table(), other, Bytes.utf8("one"));
    for (ItemKey key : List.of(one, two, gone, elsewhere)) {
      prepare(key, version(EARLY, key.toString()));
      commit(key, version(EARLY, key.toString()));
    }
    commit(gone, deletion(LATE));
    prepare(unseen, version(LATE, "unseen"));
    prepare(two, version(LATE, "unseen"));

    assertThat(items(partition))
        .isEqualTo(
            Map.of(
                one, version(EARLY, one.toString()),
                two, version(EARLY, two.toString()),
                gone, deletion(LATE)));
    assertThat(committed(two)).isEqualTo(new Answer.Present(version(EARLY, two.toString())));
    Bytes none = Bytes.utf8("collection" + KEYS.incrementAndGet());
    assertThat(items(none)).isEmpty();
  }

  @Test
  void itemsAreCollectedAndPurgedOneByOne() throws Exception {
    Bytes partition = Bytes.utf8("collection" + KEYS.incrementAndGet());
    ItemKey one = new ItemKey(table(), partition, Bytes.utf8("one"));
    ItemKey two = new ItemKey(table(), partition, Bytes.utf8("two"));
    for (ItemKey key : List.of(one, two)) {
      prepare(key, version(EARLY, "a"));
      prepare(key, deletion(LATE));
      commit(key, deletion(LATE));
    }
    get(store().collect(new Write(one, deletion(LATE))));
    assertThat(candidates(one, EARLY).prepared()).isEmpty();
    assertThat(candidates(two, EARLY).prepared()).containsOnlyKeys(EARLY);

    get(store().purge(one, LATE));
    assertThat(items(partition)).isEqualTo(Map.of(two, deletion(LATE)));
  }

  @Test
  void aCollectionOfManyItemsIsReadWhole() throws Exception {
    Bytes partition = Bytes.utf8("collection" + KEYS.incrementAndGet());
    List<Write> writes =
        LongStream.range(0, 600)
            .mapToObj(
                i ->
                    new Write(
                        new ItemKey(table(), partition, Bytes.utf8("item " + i)),
                        version(EARLY, "value " + i)))
            .toList();
    get(store().prepare(writes));
    get(store().commit(writes));
    Map<ItemKey, Version> seen = items(partition);
    assertThat(seen).hasSize(600);
    writes.forEach(write -> assertThat(seen.get(write.key())).isEqualTo(write.version()));
  }

  /** Three of four are deleted, two in a row of each limit tried among them. */
  @Test
  void aCollectionIsReadByPages() throws Exception {
    Bytes partition = Bytes.utf8("collection" + KEYS.incrementAndGet());
    List<Write> writes = new ArrayList<>();
    List<String> live = new ArrayList<>();
    for (int i = 100; i < 300; i++) {
      String name = "item " + i;
      ItemKey key = new ItemKey(table(), partition, Bytes.utf8(name));
      boolean stays = i % 4 == 0;
      writes.add(new Write(key, stays ? version(EARLY, name) : deletion(EARLY)));
      if (stays) {
        live.add(name);
      }
    }
    get(store().commit(writes));

    for (int limit : new int[] {1, 2, 7, 49, 50, 51, Integer.MAX_VALUE}) {
      assertThat(paged(partition, "", "j", limit)).as("limit %d", limit).isEqualTo(live);
    }
    assertThat(paged(partition, "item 108", "item 120", 2))
        .containsExactly("item 108", "item 112", "item 116");
    assertThat(paged(partition, "item 109", "item 109", 5)).isEmpty();
    assertThat(paged(partition, "item 2", "item 1", 5)).isEmpty();
    ItemRange page = new ItemRange(table(), partition, Bytes.EMPTY, Optional.empty(), 3);
    assertThat(get(store().readItems(page, Strength.QUORUM)).next())
        .contains(Bytes.utf8("item 112"));
  }
}
