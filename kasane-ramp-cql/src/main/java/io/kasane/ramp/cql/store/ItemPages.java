/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.version.Bytes;
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
  private static final int LEAST_ROWS = 3;

  private final Requests requests;
  private final int pageRows;

  ItemPages(Requests requests, int pageRows) {
    this.requests = requests;
    this.pageRows = Math.max(LEAST_ROWS, pageRows);
  }

  /** The rows of as many items as are wanted, and maybe of more. */
  CompletionStage<Rows> read(
      TableStatements table, ItemRange wanted, ConsistencyLevel level, int first, int last) {
    int most = Math.max(LEAST_ROWS, Math.min(pageRows, wanted.limit() - 1) + 1);
    return read(new Reading(table, wanted, level, first, last), wanted.from(), most, List.of());
  }

  private CompletionStage<Rows> read(Reading reading, Bytes from, int most, List<Row> before) {
    ItemRange rest = reading.rest(from);
    List<Integer> generations = IntStream.rangeClosed(reading.first, reading.last).boxed().toList();
    return Requests.each(generations, generation -> chunk(reading, rest, generation, most))
        .thenCompose(
            chunks -> {
              Optional<Bytes> end =
                  chunks.stream()
                      .flatMap(chunk -> chunk.readUpTo(most).stream())
                      .min(Bytes::compareTo);
              List<Row> rows = new ArrayList<>(before);
              chunks.forEach(chunk -> chunk.addTo(rows, end));
              Rows read = new Rows(rows, end);
              return end.isEmpty() || reading.isEnough(read)
                  ? CompletableFuture.completedFuture(read)
                  : read(reading, end.get(), Math.min(pageRows, 2 * most), rows);
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
   * @param readUpTo the item before which all is there; empty for all that was wanted
   */
  record Rows(List<Row> rows, Optional<Bytes> readUpTo) {}

  private record Reading(
      TableStatements table, ItemRange wanted, ConsistencyLevel level, int first, int last) {
    ItemRange rest(Bytes from) {
      return new ItemRange(
          wanted.table(), wanted.partition(), from, wanted.before(), wanted.limit());
    }

    /** One more than is wanted would say where the next page begins. */
    boolean isEnough(Rows read) {
      if (wanted.limit() == ItemRange.UNLIMITED) {
        return false;
      }
      CollectionRows items =
          CollectionRows.of(
              CollectionKey.of(wanted), read.rows, new Generations(2 * first, Timestamp.NONE));
      return items.versions().values().stream().filter(version -> !version.isDeletion()).count()
          >= wanted.limit();
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
