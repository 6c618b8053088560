/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.rows.RowStore;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.trie.LongKeyEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexSliceFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.dht.IncludingExcludingBounds;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Random updates and deletions in an engine, beside Cassandra's own merge of the same in memory.
 * {@code jqwik.tries.default} says how many sequences; a failure prints its seed.
 */
public abstract class RowStoreProperties {
  private static final List<String> KEYS = List.of("a", "b", "", "key".repeat(50), "e");
  private static final TableMetadata METADATA =
      TableMetadata.builder("ks", "t")
          .partitioner(Murmur3Partitioner.instance)
          .addPartitionKeyColumn("p", UTF8Type.instance)
          .addClusteringColumn("c", Int32Type.instance)
          .addClusteringColumn("d", UTF8Type.instance)
          .addStaticColumn("s", UTF8Type.instance)
          .addRegularColumn("v", UTF8Type.instance)
          .addRegularColumn("m", MapType.getInstance(UTF8Type.instance, Int32Type.instance, true))
          .build();

  private static final String TOP = "partition ";

  private Path dir;
  private Engine engine;
  private int tables;

  /** Opens the engine under test. */
  protected abstract Engine open(EngineOptions options);

  @BeforeContainer
  static void cassandra() {
    DatabaseDescriptor.clientInitialization();
  }

  @BeforeProperty
  void openAnEngine() throws IOException {
    dir = Files.createTempDirectory("kasane-rows");
    engine =
        new LongKeyEngine(
            open(new EngineOptions(dir, 1L << 30, 16L << 20, EngineOptions.Durability.NONE)));
  }

  @AfterProperty
  void close() throws IOException {
    engine.close();
    EngineProperties.delete(dir);
  }

  @Property
  void holdsWhatCassandraWouldHold(
      @ForAll @IntRange(min = 1, max = 12) int steps, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String name = "t" + tables++;
    RowStore store = new RowStore(engine.table(name));
    NavigableMap<DecoratedKey, PartitionUpdate> expected = new TreeMap<>();
    assertThat(store.isEmpty()).isTrue();
    for (int step = 0; step < steps; step++) {
      NavigableMap<DecoratedKey, PartitionUpdate> added = new TreeMap<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        PartitionUpdate update = update(random);
        added.merge(update.partitionKey(), update, RowStoreProperties::merged);
      }
      mergeWithPauses(store, added, random);
      added.forEach((key, update) -> expected.merge(key, update, RowStoreProperties::merged));
      if (random.nextInt(3) == 0) {
        store = new RowStore(engine.table(name)); // as after a restart
      }
      compare(store, expected, random);
    }
    engine.table(name).drop();
  }

  /** As what moves SSTables in gives way to flushes: it goes on where it was. */
  private static void mergeWithPauses(
      RowStore store, NavigableMap<DecoratedKey, PartitionUpdate> added, SplittableRandom random) {
    Iterator<? extends UnfilteredRowIterator> partitions =
        added.values().stream().map(PartitionUpdate::unfilteredIterator).iterator();
    while (!store.merge(METADATA, partitions, () -> random.nextInt(4) == 0)) {
      assertThat(partitions).as("what is left after a pause").hasNext();
    }
  }

  private static PartitionUpdate merged(PartitionUpdate one, PartitionUpdate other) {
    return PartitionUpdate.merge(List.of(one, other));
  }

  private static PartitionUpdate update(SplittableRandom random) {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    List<PartitionUpdate> updates = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      PartitionUpdate.SimpleBuilder update =
          PartitionUpdate.simpleBuilder(METADATA, key).nowInSec(1_000);
      int what = random.nextInt(20);
      update.timestamp(4 * random.nextInt(1, 12) + kindOf(what));
      if (what == 0) {
        update.delete();
      } else if (what < 4) {
        deleteRange(update, random);
      } else if (what < 6) {
        update.row().add("s", "s" + random.nextInt(100));
      } else if (what < 8) {
        row(update, random).delete();
      } else if (what < 10) {
        row(update, random).delete("v");
      } else if (what < 13) {
        row(update, random).add("m", Map.of("k" + random.nextInt(3), random.nextInt()));
      } else {
        row(update, random).add("v", "v" + random.nextInt(100));
      }
      updates.add(update.build());
    }
    return PartitionUpdate.merge(updates);
  }

  /**
   * Ties are between alike only: where a deletion of a range and one within it are of one moment,
   * stock keeps the inner one or not, as it comes by it. A collection's own is one before its
   * cells.
   */
  private static int kindOf(int what) {
    if (what < 4) {
      return 0;
    }
    return what < 6 || what >= 8 ? 3 : 1;
  }

  private static Row.SimpleBuilder row(
      PartitionUpdate.SimpleBuilder update, SplittableRandom random) {
    return update.row(random.nextInt(5), "d" + random.nextInt(2));
  }

  private static void deleteRange(PartitionUpdate.SimpleBuilder update, SplittableRandom random) {
    int from = random.nextInt(5);
    int to = from + random.nextInt(3);
    PartitionUpdate.SimpleBuilder.RangeTombstoneBuilder range =
        update.addRangeTombstone().start(from).end(to);
    if (from == to || random.nextBoolean()) { // else it would delete nothing
      range.inclStart();
    } else {
      range.exclStart();
    }
    if (from == to || random.nextBoolean()) {
      range.inclEnd();
    } else {
      range.exclEnd();
    }
  }

  private static void compare(
      RowStore store,
      NavigableMap<DecoratedKey, PartitionUpdate> expected,
      SplittableRandom random) {
    ColumnFilter columns =
        random.nextBoolean()
            ? ColumnFilter.all(METADATA)
            : ColumnFilter.selection(
                METADATA,
                ColumnFilter.selectionBuilder()
                    .add(METADATA.getColumn(ByteBufferUtil.bytes("v")))
                    .build()
                    .fetchedColumns(),
                true);
    boolean reversed = random.nextBoolean();
    Slices slices = slices(random);
    for (String name : KEYS) {
      DecoratedKey key = METADATA.partitioner.decorateKey(ByteBufferUtil.bytes(name));
      PartitionUpdate partition = expected.get(key);
      assertThat(store.contains(METADATA, key))
          .isEqualTo(partition != null && !partition.isEmpty());
      assertThat(described(store.read(METADATA, key, slices, columns, reversed)))
          .as("%s of '%s', reversed %s", slices, name, reversed)
          .isEqualTo(
              described(
                  partition == null
                      ? null
                      : partition.unfilteredIterator(columns, slices, reversed)));
    }
    compareScan(store, expected, columns, random);
    assertThat(store.isEmpty())
        .isEqualTo(expected.values().stream().allMatch(PartitionUpdate::isEmpty));
  }

  private static void compareScan(
      RowStore store,
      NavigableMap<DecoratedKey, PartitionUpdate> expected,
      ColumnFilter columns,
      SplittableRandom random) {
    AbstractBounds<PartitionPosition> keys = keyRange(random);
    ClusteringIndexSliceFilter filter =
        new ClusteringIndexSliceFilter(
            random.nextBoolean() ? Slices.ALL : slices(random), random.nextInt(4) == 0);
    List<String> wanted = new ArrayList<>();
    expected.forEach(
        (key, partition) -> {
          if (keys.contains(key)) {
            wanted.addAll(described(filter.getUnfilteredRowIterator(columns, partition)));
          }
        });
    List<String> found = new ArrayList<>();
    boolean whole = random.nextInt(4) > 0;
    try (UnfilteredPartitionIterator scan =
        store.scan(METADATA, columns, new DataRange(keys, filter))) {
      while (scan.hasNext()) {
        UnfilteredRowIterator partition = scan.next();
        if (whole) {
          found.addAll(described(partition));
        } else { // what is not read to its end does not hide what follows
          if (!isVoid(partition) || partition.hasNext()) {
            found.add(top(partition));
          }
          partition.close();
        }
      }
    }
    assertThat(found)
        .as("%s %s", keys, filter.toString(METADATA))
        .isEqualTo(whole ? wanted : wanted.stream().filter(line -> line.startsWith(TOP)).toList());
  }

  private static AbstractBounds<PartitionPosition> keyRange(SplittableRandom random) {
    PartitionPosition least = METADATA.partitioner.getMinimumToken().minKeyBound();
    PartitionPosition one = position(random);
    PartitionPosition other = position(random);
    PartitionPosition first = one.compareTo(other) <= 0 ? one : other;
    PartitionPosition second = one.compareTo(other) <= 0 ? other : one;
    return switch (random.nextInt(6)) {
      case 0 -> new Bounds<>(first, second);
      case 1 -> new Bounds<>(first, least);
      case 2 -> first.equals(second) ? new Bounds<>(first, second) : new Range<>(first, second);
      case 3 ->
          first.equals(second)
              ? new Bounds<>(first, second)
              : new IncludingExcludingBounds<>(first, second);
      default -> new Range<>(least, least);
    };
  }

  private static PartitionPosition position(SplittableRandom random) {
    DecoratedKey key =
        METADATA.partitioner.decorateKey(
            ByteBufferUtil.bytes(KEYS.get(random.nextInt(KEYS.size()))));
    return switch (random.nextInt(3)) {
      case 0 -> key;
      case 1 -> key.getToken().minKeyBound();
      default -> key.getToken().maxKeyBound();
    };
  }

  private static Slices slices(SplittableRandom random) {
    Slices.Builder slices = new Slices.Builder(METADATA.comparator);
    for (int i = random.nextInt(4); i > 0; i--) {
      int from = random.nextInt(5);
      int to = from + random.nextInt(3);
      switch (random.nextInt(4)) {
        case 0 -> slices.add(Slice.make(METADATA.comparator.make(from, "d" + random.nextInt(2))));
        case 1 -> slices.add(Slice.make(bound(true, true, from), bound(false, true, to)));
        case 2 -> slices.add(Slice.make(bound(true, false, from), bound(false, false, to + 1)));
        default ->
            slices.add(Slice.make(bound(true, random.nextBoolean(), from), ClusteringBound.TOP));
      }
    }
    return random.nextInt(3) == 0 ? Slices.ALL : slices.build();
  }

  private static ClusteringBound<?> bound(boolean isStart, boolean isInclusive, int c) {
    return ClusteringBound.create(METADATA.comparator, isStart, isInclusive, c);
  }

  /** What a partition says, a line each; nothing of one that says nothing. Closes it. */
  private static List<String> described(UnfilteredRowIterator partition) {
    List<String> lines = new ArrayList<>();
    if (partition != null) {
      try (partition) {
        lines.add(top(partition));
        while (partition.hasNext()) {
          lines.add(partition.next().toString(METADATA, true));
        }
        return lines.size() == 1 && isVoid(partition) ? List.of() : lines;
      }
    }
    return lines;
  }

  private static boolean isVoid(UnfilteredRowIterator partition) {
    return partition.partitionLevelDeletion().isLive() && partition.staticRow().isEmpty();
  }

  private static String top(UnfilteredRowIterator partition) {
    return TOP
        + partition.partitionKey()
        + " "
        + partition.partitionLevelDeletion()
        + " "
        + partition.staticRow().toString(METADATA, true);
  }
}
