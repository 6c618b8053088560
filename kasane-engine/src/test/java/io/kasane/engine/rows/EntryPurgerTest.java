/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import static org.apache.cassandra.utils.ByteBufferUtil.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.rows.RowStore.PartitionSample;
import io.kasane.engine.rows.RowStore.Progress;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.dht.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a purge leaves in the engine. */
@Timeout(60)
class EntryPurgerTest extends NaiveRows {
  private final RowStore store = new RowStore(table);

  private static PartitionUpdate row(String key) {
    PartitionUpdate.SimpleBuilder update = update(key, 10);
    update.row(1).add("v", "v");
    return update.build();
  }

  private void merge(PartitionUpdate... updates) {
    merge(store, updates);
  }

  private long purge(DeletionPurger purger, BooleanSupplier pauses) {
    return purge(key -> purger, pauses);
  }

  private long purge(Function<DecoratedKey, DeletionPurger> purgers, BooleanSupplier pauses) {
    long changes = 0;
    byte[] from = null;
    do {
      Progress purged = store.purge(METADATA, from, purgers, NOW_SECOND + 100, pauses);
      changes += purged.changes();
      from = purged.next();
    } while (from != null);
    return changes;
  }

  private static DeletionPurger before(long timestamp) {
    return (of, localDeletionTime) -> of < timestamp && localDeletionTime <= NOW_SECOND;
  }

  private void fill() {
    PartitionUpdate.SimpleBuilder some = update("some", 10);
    some.row().add("s", "static");
    IntStream.range(0, 20).forEach(c -> some.row(c).add("v", "v"));
    merge(some.build(), row("all"));
    PartitionUpdate.SimpleBuilder deletions = update("some", 20);
    deletions.row(3).delete();
    deletions.row(4).add("v", null);
    deletions.addRangeTombstone().start(10).inclStart().end(14).inclEnd();
    merge(deletions.build(), update("all", 20).delete().build());
  }

  @Test
  void shouldTakeOutWhatMayGoAndNothingElse() {
    fill();
    // Rows 0 to 9 with a tombstone, a row with a dead cell, 15 to 19; header; header of "all".
    assertThat(entries()).isEqualTo(EPOCH + 15 + 2);
    assertThat(purge(before(20), () -> false)).as("too young").isZero();
    assertThat(purge(DeletionPurger.PURGE_ALL, () -> false)).isEqualTo(4);
    // Row 4 keeps its primary key; its column is as if it never was.
    assertThat(entries()).isEqualTo(EPOCH + 14 + 1);
    assertThat(purge(DeletionPurger.PURGE_ALL, () -> false)).as("again").isZero();
  }

  @Test
  void shouldComeToTheSameWithPausesAfterEachEntry() {
    fill();
    assertThat(purge(before(21), () -> true)).isEqualTo(4);
    assertThat(entries()).isEqualTo(EPOCH + 14 + 1);
  }

  @Test
  void shouldAskForEachPartitionWhatMayGo() {
    fill();
    DecoratedKey all = METADATA.partitioner.decorateKey(bytes("all"));
    assertThat(purge(key -> before(key.equals(all) ? 21 : 20), () -> true)).isEqualTo(1);
    assertThat(entries()).isEqualTo(EPOCH + 15 + 1);
    assertThat(purge(key -> before(key.equals(all) ? 20 : 21), () -> true)).isEqualTo(3);
    assertThat(entries()).isEqualTo(EPOCH + 14 + 1);
  }

  @Test
  void shouldTakeOutWhatHasExpired() {
    merge(row("a"));
    PartitionUpdate.SimpleBuilder shortLived = update("a", 11).ttl(10);
    shortLived.row(2).add("v", "goes");
    merge(shortLived.build());
    assertThat(purge((of, localDeletionTime) -> localDeletionTime < NOW_SECOND, () -> false))
        .as("its deletion is too young")
        .isEqualTo(1); // the value went, a tombstone is left
    assertThat(entries()).isEqualTo(EPOCH + 2);
    assertThat(purge(DeletionPurger.PURGE_ALL, () -> false)).isEqualTo(1);
    assertThat(entries()).isEqualTo(EPOCH + 1);
  }

  @Test
  void shouldRemovePartitionsFromTheLastOneOnBackwards() {
    fill();
    AbstractBounds<PartitionPosition> some = only("some");
    byte[] to = null;
    long removed = 0;
    do {
      Progress step = store.remove(some, to, () -> true);
      assertThat(step.changes()).isBetween(0L, 1L);
      removed += step.changes();
      to = step.next();
      boolean isLeft = store.contains(METADATA, METADATA.partitioner.decorateKey(bytes("some")));
      assertThat(isLeft).as("the header goes last").isEqualTo(removed < 16);
    } while (to != null);
    assertThat(removed).isEqualTo(16);
    assertThat(entries()).as("of others").isEqualTo(EPOCH + 1);
    assertThat(store.remove(some, null, () -> false).changes()).isZero();
  }

  private static AbstractBounds<PartitionPosition> only(String key) {
    DecoratedKey partition = METADATA.partitioner.decorateKey(bytes(key));
    return new Bounds<>(partition, partition);
  }

  @Test
  void shouldSampleDifferentPartitions() {
    fill();
    AbstractBounds<PartitionPosition> all =
        Range.makeRowRange(
            METADATA.partitioner.getMinimumToken(), METADATA.partitioner.getMinimumToken());
    assertThat(store.sample(METADATA, all, 5)).isEqualTo(new PartitionSample(2, null));
    assertThat(store.sample(METADATA, all, 1).partitions()).isOne();
    assertThat(store.sample(METADATA, all, 1).last()).isNotNull();
  }
}
