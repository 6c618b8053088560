/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Reads rows of a range of items, from one generation to another one, until so many items are live
 * as are wanted. All generations are read equally far.
 */
final class ItemPages {
  /** The rows that an item may have in a generation, and one of another item. */
  private static final int MIN_ROWS = 3;

  private static final int MAX_ROWS = 10_000;

  private final Requests requests;
  private final int pageRows;

  ItemPages(Requests requests, int pageRows) {
    this.requests = requests;
    this.pageRows = Math.max(MIN_ROWS, pageRows);
  }

  /** The rows of as many items as are wanted, maybe of more, and of fewer where few are live. */
  CompletionStage<Rows> read(
      TableStatements table, ItemRange wanted, ConsistencyLevel level, int first, int last) {
    int most = Math.max(MIN_ROWS, Math.min(pageRows, wanted.limit() - 1) + 1);
    Reading reading = new Reading(table, wanted, level, first, last);
    return read(reading, wanted.from(), most, new Rows(new ArrayList<>(), 0, Optional.empty()));
  }

  private CompletionStage<Rows> read(Reading reading, Bytes from, int most, Rows before) {
    ItemRange rest = reading.rest(from);
    List<Integer> generations = IntStream.rangeClosed(reading.first, reading.last).boxed().toList();
    return Requests.each(generations, generation -> chunk(reading, rest, generation, most))
        .thenCompose(
            chunks -> {
              Rows read = before.and(reading, chunks, most);
              if (read.readUpTo.equals(Optional.of(from))) {
                throw Bodies.damaged(reading.key(from), "an item has too many of them");
              }
              return read.readUpTo.isEmpty() || reading.isEnough(read)
                  ? CompletableFuture.completedFuture(read)
                  : read(reading, read.readUpTo.get(), Math.min(pageRows, 2 * most), read);
            });
  }

  private CompletionStage<Chunk> chunk(Reading reading, ItemRange rest, int generation, int most) {
    return requests
        .rows(
            reading.table.readRange(rest, generation, most),
            "read items of " + rest.table(),
            reading.level)
        .thenApply(Chunk::new);
  }

  /**
   * What was read.
   *
   * @param rows to which those of the next step are added
   * @param live how many items of them are not deleted
   * @param readUpTo the item before which all is there; empty for all that was wanted
   */
  record Rows(List<Row> rows, long live, Optional<Bytes> readUpTo) {
    /** All generations are cut at one item, so an item's rows are in one step. */
    Rows and(Reading reading, List<Chunk> chunks, int most) {
      Optional<Bytes> end =
          chunks.stream().flatMap(chunk -> chunk.readUpTo(most).stream()).min(Bytes::compareTo);
      List<Row> more = new ArrayList<>();
      chunks.forEach(chunk -> chunk.addTo(more, end));
      rows.addAll(more);
      return new Rows(rows, live + reading.live(more), end);
    }
  }

  private record Reading(
      TableStatements table, ItemRange wanted, ConsistencyLevel level, int first, int last) {
    ItemRange rest(Bytes from) {
      return new ItemRange(
          wanted.table(), wanted.partition(), from, wanted.before(), wanted.limit());
    }

    ItemKey key(Bytes item) {
      return new ItemKey(wanted.table(), wanted.partition(), item);
    }

    long live(List<Row> rows) {
      if (wanted.limit() == ItemRange.UNLIMITED) {
        return 0;
      }
      Generations generations = new Generations(2 * first, Timestamp.NONE);
      return CollectionRows.of(CollectionKey.of(wanted), rows, generations)
          .versions()
          .values()
          .stream()
          .filter(version -> !version.isDeletion())
          .count();
    }

    /** A page that passes more deletions than that has few items, or none. */
    boolean isEnough(Rows read) {
      return wanted.limit() != ItemRange.UNLIMITED
          && (read.live >= wanted.limit() || read.rows.size() >= MAX_ROWS);
    }
  }

  /** Rows of one generation, in the order of their items. */
  private record Chunk(List<Row> rows) {
    /** Of the last item there may be one more row. */
    Optional<Bytes> readUpTo(int most) {
      return rows.size() < most ? Optional.empty() : Optional.of(item(rows.get(rows.size() - 1)));
    }

    void addTo(List<Row> all, Optional<Bytes> end) {
      rows.stream()
          .filter(row -> end.filter(bytes -> item(row).compareTo(bytes) >= 0).isEmpty())
          .forEach(all::add);
    }

    private static Bytes item(Row row) {
      return Bytes.copyOf(row.getByteBuffer(TableLayout.ITEM));
    }
  }
}
