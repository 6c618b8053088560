/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

/** What merges leave in the engine: readers could not tell, since headers hide what is deleted. */
class EntryMergerTest extends NaiveRows {
  private static final int ROWS = 1_000;

  private final RowStore store = new RowStore(table);

  private static PartitionUpdate rows(String key, long timestamp) {
    PartitionUpdate.SimpleBuilder update = update(key, timestamp);
    IntStream.range(0, ROWS).forEach(c -> update.row(c).add("v", "v"));
    return update.build();
  }

  private void merge(PartitionUpdate... updates) {
    merge(store, updates);
  }

  @Test
  void aRowIsOneEntryHoweverOftenItComes() {
    merge(rows("a", 1));
    assertThat(entries()).isEqualTo(EPOCH + ROWS);
    merge(rows("a", 2), rows("b", 2));
    merge(rows("a", 1));
    assertThat(entries()).isEqualTo(EPOCH + 2 * ROWS);
  }

  @Test
  void whatWasMergedBeforeAPauseIsThere() {
    List<UnfilteredRowIterator> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      PartitionUpdate.SimpleBuilder update = update("p" + i, 1);
      update.row(i).add("v", "v");
      all.add(update.build().unfilteredIterator());
    }
    Iterator<UnfilteredRowIterator> partitions = all.iterator();
    AtomicInteger asked = new AtomicInteger();
    assertThat(store.merge(METADATA, partitions, () -> asked.incrementAndGet() > 3)).isFalse();
    assertThat(entries()).isEqualTo(EPOCH + 3);
    assertThat(store.merge(METADATA, partitions, () -> false)).isTrue();
    assertThat(entries()).isEqualTo(EPOCH + 10);
  }

  @Test
  void whatAPartitionsDeletionDeletesGoes() {
    merge(rows("a", 10), rows("b", 10));
    merge(update("a", 5).delete().build());
    assertThat(entries()).as("an older one").isEqualTo(EPOCH + 2 * ROWS + 1);
    merge(update("a", 20).delete().build());
    assertThat(entries()).isEqualTo(EPOCH + ROWS + 1);
    merge(rows("a", 15));
    assertThat(entries()).as("rows that come late").isEqualTo(EPOCH + ROWS + 1);
  }

  @Test
  void whatARangesDeletionDeletesGoes() {
    merge(rows("a", 10));
    PartitionUpdate.SimpleBuilder update = update("a", 20);
    update.addRangeTombstone().start(100).inclStart().end(200).exclEnd();
    update.addRangeTombstone().start(900).inclStart().end(ROWS).inclEnd();
    merge(update.build());
    assertThat(entries()).isEqualTo(EPOCH + 1 + ROWS - 200);
    merge(rows("a", 15));
    assertThat(entries()).as("rows that come late").isEqualTo(EPOCH + 1 + ROWS - 200);
    merge(rows("a", 25));
    assertThat(entries()).as("rows that come after it").isEqualTo(EPOCH + 1 + ROWS);
  }

  @Test
  void aDeletionAndNewerRowsMayComeTogether() {
    merge(rows("a", 10));
    PartitionUpdate.SimpleBuilder update = update("a", 20).delete();
    update.timestamp(21).row(7).add("v", "new");
    merge(update.build());
    assertThat(entries()).isEqualTo(EPOCH + 1 + 1);
  }

  /** A flush that stands still is given up, so what takes long must be seen to go on. */
  @Test
  void progressIsSeenWhileRowsComeAreReadAndAreSwept() {
    assertThat(progressOf(rows("a", 10))).as("that come, each looked for").isGreaterThan(2 * ROWS);
    assertThat(progressOf(update("a", 5).delete().build())).as("read").isGreaterThan(ROWS);
    assertThat(progressOf(update("a", 20).delete().build())).as("swept").isGreaterThan(ROWS);
    PartitionUpdate.SimpleBuilder ranges = update("b", 20);
    for (int c = 0; c < ROWS; c++) {
      ranges.addRangeTombstone().start(2 * c).inclStart().end(2 * c).inclEnd();
    }
    assertThat(progressOf(ranges.build())).as("ranges without rows").isGreaterThan(2 * ROWS);
  }

  private int progressOf(PartitionUpdate update) {
    AtomicInteger seen = new AtomicInteger();
    store.merge(
        METADATA,
        List.of(update.unfilteredIterator()).iterator(),
        () -> false,
        seen::incrementAndGet);
    return seen.get();
  }

  /** What comes twice in one run is merged, too: its first part is not in the engine yet. */
  @Test
  void aPartitionMayComeTwice() {
    PartitionUpdate.SimpleBuilder first = update("a", 10);
    first.row().add("s", "static");
    first.row(1).add("v", "first");
    PartitionUpdate.SimpleBuilder second = update("a", 5);
    second.row(1).add("v", "older");
    second.row(2).add("v", "second");
    PartitionUpdate.SimpleBuilder third = update("a", 7);
    third.addRangeTombstone().start(2).inclStart().end(3).inclEnd();
    merge(first.build(), second.build(), third.build());
    assertThat(entries()).isEqualTo(EPOCH + 1 + 1);
    assertThat(described(METADATA)).contains("s=static", "v=first").doesNotContain("second");
  }

  /** As in stock: whoever adds the column again sees them. */
  @Test
  void cellsThatAreNewerThanTheDropOfTheirColumnStay() {
    merge(update("a", 50).delete().build());
    PartitionUpdate.SimpleBuilder newer = update("a", 200);
    newer.row(1).add("v", "kept");
    newer.row().add("s", "kept, too");
    merge(newer.build());
    TableMetadata dropped = METADATA;
    for (String name : List.of("v", "s")) {
      ColumnMetadata column = METADATA.getColumn(ByteBufferUtil.bytes(name));
      dropped =
          dropped
              .unbuild()
              .removeRegularOrStaticColumn(column.name)
              .recordColumnDrop(column, 100)
              .build();
    }
    dropped = dropped.unbuild().addRegularColumn("w", UTF8Type.instance).build();
    PartitionUpdate.SimpleBuilder other =
        PartitionUpdate.simpleBuilder(dropped, "a").timestamp(300).nowInSec(1_000);
    other.row(1).add("w", "added");
    PartitionUpdate.SimpleBuilder range =
        PartitionUpdate.simpleBuilder(dropped, "a").timestamp(150).nowInSec(1_000).delete();
    for (PartitionUpdate update : List.of(other.build(), range.build())) {
      store.merge(dropped, List.of(update.unfilteredIterator()).iterator(), () -> false);
    }
    TableMetadata again = METADATA.unbuild().addRegularColumn("w", UTF8Type.instance).build();
    assertThat(described(again)).contains("v=kept", "s=kept, too", "w=added");
  }

  private String described(TableMetadata metadata) {
    StringBuilder text = new StringBuilder();
    try (UnfilteredRowIterator partition =
        store.read(
            metadata,
            metadata.partitioner.decorateKey(ByteBufferUtil.bytes("a")),
            Slices.ALL,
            ColumnFilter.all(metadata),
            false)) {
      text.append(partition.staticRow().toString(metadata));
      partition.forEachRemaining(row -> text.append(row.toString(metadata)));
    }
    return text.toString();
  }

  @Test
  void aCancelledMergeStopsBetweenPartitions() {
    AtomicInteger asked = new AtomicInteger();
    List<PartitionUpdate> updates = List.of(rows("a", 1), rows("b", 1), rows("c", 1));
    boolean all =
        store.merge(
            METADATA,
            updates.stream().map(PartitionUpdate::unfilteredIterator).iterator(),
            () -> asked.incrementAndGet() > 2);
    assertThat(all).isFalse();
    merge(updates.toArray(PartitionUpdate[]::new));
    assertThat(entries()).as("done again").isEqualTo(EPOCH + 3 * ROWS);
  }
}
