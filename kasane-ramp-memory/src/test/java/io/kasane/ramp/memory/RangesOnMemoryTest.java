/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampPage;
import io.kasane.ramp.cql.RampRange;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.protocol.InvalidTransactionException;
import io.kasane.ramp.store.ItemPage;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranges and pages as applications have them. */
class RangesOnMemoryTest {
  private final RampSession session = RampSession.over(new MemoryVersionStore());
  private final RampCollection<String, Long, String> posts =
      session.collection("posts", Codecs.text(), Codecs.ordered64(), Codecs.text());

  @BeforeEach
  void post() {
    RampTransaction transaction = session.write();
    for (long post = -5; post <= 5; post++) {
      transaction.put(posts, "ada", post, "post " + post);
    }
    transaction.commit();
  }

  @AfterEach
  void close() {
    session.close();
  }

  @Test
  void rangesEndAsTheySay() {
    assertThat(items(all().from(3L))).containsExactly(3L, 4L, 5L);
    assertThat(items(all().after(3L))).containsExactly(4L, 5L);
    assertThat(items(all().upTo(-3L))).containsExactly(-5L, -4L, -3L);
    assertThat(items(all().before(-3L))).containsExactly(-5L, -4L);
    assertThat(items(all().after(-2L).before(2L))).containsExactly(-1L, 0L, 1L);
    assertThat(items(all().from(2L).upTo(2L))).containsExactly(2L);
    assertThat(items(all().after(2L).upTo(2L))).isEmpty();
    assertThat(items(all().from(2L).before(-2L))).isEmpty();
    assertThat(items(all())).hasSize(11).startsWith(-5L, -4L).endsWith(4L, 5L);
  }

  @Test
  void pagesFollowEachOther() {
    session.write().delete(posts, "ada", -4L).delete(posts, "ada", -3L).commit();
    List<Long> seen = new ArrayList<>();
    Optional<RampRange<Long>> next = Optional.of(all().upTo(4L).limit(3));
    int pages = 0;
    while (next.isPresent()) {
      RampPage<Long, String> page = session.items(posts, "ada", next.get());
      assertThat(page.items()).hasSizeLessThanOrEqualTo(3);
      seen.addAll(page.items().keySet());
      next = page.next();
      pages++;
    }
    assertThat(seen).containsExactly(-5L, -2L, -1L, 0L, 1L, 2L, 3L, 4L);
    assertThat(pages).isEqualTo(3);
    assertThat(session.items(posts, "ada", all().limit(1)).next().flatMap(RampRange::first))
        .contains(-2L);
  }

  @Test
  void rangesAreReadTogetherWithOthers() {
    RampRange<Long> few = RampRange.<Long>all().limit(2);
    RampRows rows = session.read().items(posts, "ada", few).item(posts, "ada", 5L).run();
    assertThat(rows.items(posts, "ada", few).items()).containsOnlyKeys(-5L, -4L);
    assertThat(rows.item(posts, "ada", -5L)).contains("post -5");
    assertThat(rows.item(posts, "ada", 5L)).contains("post 5");
    assertThatThrownBy(() -> rows.item(posts, "ada", 0L)).hasMessageContaining("0 of posts");
    assertThatThrownBy(() -> rows.items(posts, "ada")).hasMessageContaining("ada of posts");
    assertThatThrownBy(() -> rows.items(posts, "ada", all().limit(3)))
        .hasMessageContaining("ada of posts");
  }

  @Test
  void pagesOfAReadTransactionAreReadTogether() {
    List<Long> both =
        session.readTransaction(
            reader -> {
              RampPage<Long, String> first = reader.items(posts, "ada", all().limit(2));
              List<Long> items = new ArrayList<>(first.items().keySet());
              items.addAll(reader.items(posts, "ada", first.next().orElseThrow()).items().keySet());
              return items;
            });
    assertThat(both).containsExactly(-5L, -4L, -3L, -2L);
  }

  /** As where a replica is behind: the page misses what its siblings name. */
  @Test
  void aPageHasNoMoreItemsThanItsLimitWhereOthersNameMore() {
    try (RampSession other = RampSession.over(new Behind())) {
      RampCollection<String, Long, String> list =
          other.collection("posts", Codecs.text(), Codecs.ordered64(), Codecs.text());
      other
          .write()
          .put(list, "a", 1L, "x")
          .put(list, "a", 2L, "x")
          .put(list, "a", 3L, "x")
          .commit();

      RampPage<Long, String> page = other.newSession().items(list, "a", all().limit(2));
      assertThat(page.items()).containsOnlyKeys(1L, 2L);
      assertThat(page.next().orElseThrow().first()).contains(3L);
      assertThat(other.newSession().items(list, "a", page.next().orElseThrow()).items())
          .containsOnlyKeys(3L);
    }
  }

  /** Shows no second item of a range. */
  private static final class Behind extends MemoryVersionStore {
    @Override
    public CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
      ItemRange wider =
          new ItemRange(
              wanted.table(),
              wanted.partition(),
              wanted.from(),
              wanted.before(),
              wanted.limit() + 1);
      return super.readItems(wider, strength)
          .thenApply(
              page -> {
                Map<ItemKey, Version> shown = new TreeMap<>(page.versions());
                if (shown.size() > 1) {
                  shown.remove(shown.keySet().stream().skip(1).findFirst().orElseThrow());
                }
                return new ItemPage(shown, page.next());
              });
    }
  }

  /** Records get components, and old bytes stay as they are. */
  @Test
  void pagesGoOnWhereACodecGivesOtherBytesThanItRead() {
    RampCodec<String> old = RampCodec.of(Bytes::utf8, Bytes::toUtf8);
    RampCodec<String> now =
        RampCodec.of(text -> Bytes.utf8("!" + text), bytes -> bytes.toUtf8().replace("!", ""));
    RampCollection<String, String, String> before =
        session.collection("texts", Codecs.text(), old, Codecs.text());
    session.write().put(before, "a", "b", "x").put(before, "a", "c", "x").commit();
    RampCollection<String, String, String> after =
        session.collection("texts", Codecs.text(), now, Codecs.text());

    RampPage<String, String> first = session.items(after, "a", RampRange.<String>all().limit(1));
    assertThat(first.items()).containsOnlyKeys("b");
    RampPage<String, String> second = session.items(after, "a", first.next().orElseThrow());
    assertThat(second.items()).containsOnlyKeys("c");
    assertThat(second.next()).isEmpty();
  }

  @Test
  void limitsAndItemsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> all().limit(0)).hasMessageContaining("limit: 0; 1 or more");
    RampCollection<String, String, String> texts =
        session.collection("texts", Codecs.text(), Codecs.text(), Codecs.text());
    assertThatThrownBy(() -> session.items(texts, "a", RampRange.<String>all().from("")))
        .isInstanceOf(InvalidTransactionException.class);
  }

  private Set<Long> items(RampRange<Long> range) {
    return session.items(posts, "ada", range).items().keySet();
  }

  private static RampRange<Long> all() {
    return RampRange.all();
  }
}
