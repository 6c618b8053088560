/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static io.kasane.engine.contract.Entries.all;
import static io.kasane.engine.contract.Entries.bytes;
import static io.kasane.engine.contract.Entries.get;
import static io.kasane.engine.contract.Entries.key;
import static io.kasane.engine.contract.Entries.put;
import static io.kasane.engine.contract.Entries.scan;
import static io.kasane.engine.contract.Entries.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every engine owes for the entries of a table. */
public abstract class EngineContract extends OpenedEngine {
  private static final List<String> MARKS = List.of("", "a", "b", "bb", "c", "d", "e", "f");

  @Test
  void aNewTableIsEmpty() {
    assertThat(all(table)).isEmpty();
    assertThat(get(table, "a")).isNull();
    assertThat(table.size().entries()).isZero();
    assertThat(engine.tables()).containsExactly("t");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 4_096, 65_536, 1 << 20, 16 << 20})
  void valuesOfAnySizeAreWhatWasPut(int size) {
    byte[] value = new byte[size];
    for (int i = 0; i < size; i++) {
      value[i] = (byte) (i * 31 + size);
    }
    table.apply(new EngineBatch().put(bytes("k"), value));
    engine.sync();
    reopen();
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(KeyRange.all(), false)) {
      assertThat(Arrays.equals(snapshot.get(bytes("k")), value)).isTrue();
      assertThat(cursor.next()).isTrue();
      assertThat(Arrays.equals(cursor.value(), value)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 30, 500, 509, 510, 511, 512, 513, 1_020, 1_021, 5_000, 65_535})
  void keysOfAnySizeUpToTheLimitAreFound(int size) {
    int bytes = Math.min(size, engine.limits().keyBytes());
    EngineBatch batch = new EngineBatch();
    for (String end : List.of("c", "a", "b")) {
      batch.put(key(bytes, end), bytes(end));
    }
    table.apply(batch);
    engine.sync();
    reopen();
    try (EngineSnapshot snapshot = table.snapshot()) {
      List<String> values = new ArrayList<>();
      try (EngineCursor cursor = snapshot.scan(KeyRange.all(), false)) {
        while (cursor.next()) {
          values.add(text(cursor.value()));
          assertThat(cursor.key()).isEqualTo(key(bytes, text(cursor.value())));
          assertThat(text(snapshot.get(cursor.key()))).isEqualTo(text(cursor.value()));
        }
      }
      assertThat(values).containsExactly("a", "b", "c");
      assertThat(snapshot.get(key(bytes, "d"))).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 30, 500, 509, 510, 511, 512, 513, 1_020, 1_021, 5_000, 65_535})
  void keysOfAnySizeAreDeletedAloneAndComeBack(int size) {
    int bytes = Math.min(size, engine.limits().keyBytes());
    EngineBatch three = new EngineBatch();
    List.of("a", "b", "c").forEach(end -> three.put(key(bytes, end), bytes(end)));
    table.apply(three);
    table.apply(new EngineBatch().delete(key(bytes, "b")).delete(key(bytes, "d")));
    engine.sync();
    reopen();
    assertThat(values(KeyRange.all(), false)).containsExactly("a", "c");
    table.apply(new EngineBatch().put(key(bytes, "b"), bytes("again")));
    assertThat(values(KeyRange.all(), true)).containsExactly("c", "again", "a");
    EngineBatch none = new EngineBatch();
    List.of("a", "b", "c").forEach(end -> none.delete(key(bytes, end)));
    table.apply(none);
    assertThat(values(KeyRange.all(), false)).isEmpty();
    reopen();
    assertThat(values(KeyRange.all(), false)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 30, 500, 509, 510, 511, 512, 513, 1_020, 1_021, 5_000, 65_535})
  void rangesEndAtKeysOfAnySize(int size) {
    int bytes = Math.min(size, engine.limits().keyBytes());
    EngineBatch batch = new EngineBatch();
    List.of("a", "b", "c", "d").forEach(end -> batch.put(key(bytes, end), bytes(end)));
    table.apply(batch);
    KeyRange middle = KeyRange.of(key(bytes, "b"), key(bytes, "d"));
    assertThat(values(middle, false)).containsExactly("b", "c");
    assertThat(values(middle, true)).containsExactly("c", "b");
    assertThat(values(KeyRange.from(key(bytes, "c")), true)).containsExactly("d", "c");
    assertThat(values(KeyRange.of(key(bytes, "bb"), key(bytes, "bc")), false)).isEmpty();
  }

  private List<String> values(KeyRange range, boolean reversed) {
    List<String> values = new ArrayList<>();
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(range, reversed)) {
      while (cursor.next()) {
        values.add(text(cursor.value()));
      }
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 4_096, 65_536, 1 << 20, 16 << 20})
  void aValueOfAnySizeReplacesAnother(int size) {
    for (int other : List.of(0, 5_000, 1 << 20)) {
      byte[] value = new byte[size];
      Arrays.fill(value, (byte) other);
      table.apply(new EngineBatch().put(bytes("k"), new byte[other]));
      table.apply(new EngineBatch().put(bytes("k"), value));
      try (EngineSnapshot snapshot = table.snapshot()) {
        assertThat(Arrays.equals(snapshot.get(bytes("k")), value)).as("after %d", other).isTrue();
      }
    }
    assertThat(values(KeyRange.all(), false)).hasSize(1);
  }

  @Test
  void aBatchWithAKeyThatIsTooLongIsRefusedWhole() {
    int most = engine.limits().keyBytes();
    if (most == Integer.MAX_VALUE) {
      return;
    }
    EngineBatch batch = new EngineBatch().put(bytes("a"), bytes("1"));
    batch.put(new byte[most + 1], bytes("2"));
    assertThatIllegalArgumentException().isThrownBy(() -> table.apply(batch));
    assertThat(all(table)).isEmpty();
  }

  @Test
  void anEmptyKeyIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new EngineBatch().delete(new byte[0]));
  }

  @Test
  void bytesAreOrderedWithoutSignAndPrefixesFirst() {
    List<byte[]> keys = new ArrayList<>();
    for (int first : new int[] {0, 1, 0x7f, 0x80, 0xfe, 0xff}) {
      keys.add(new byte[] {(byte) first});
      keys.add(new byte[] {(byte) first, 0});
      keys.add(new byte[] {(byte) first, 0, 0});
      keys.add(new byte[] {(byte) first, (byte) 0xff});
      keys.add(new byte[] {(byte) first, (byte) 0xff, (byte) 0xff});
    }
    List<byte[]> shuffled = new ArrayList<>(keys);
    Collections.reverse(shuffled);
    EngineBatch batch = new EngineBatch();
    shuffled.forEach(key -> batch.put(key, key));
    table.apply(batch);
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor up = snapshot.scan(KeyRange.all(), false);
        EngineCursor down = snapshot.scan(KeyRange.all(), true)) {
      for (byte[] key : keys) {
        assertThat(up.next()).isTrue();
        assertThat(up.key()).isEqualTo(key);
        assertThat(down.next()).isTrue();
        assertThat(down.key()).isEqualTo(shuffled.get(keys.indexOf(key)));
      }
      assertThat(up.next()).isFalse();
      assertThat(down.next()).isFalse();
    }
  }

  static Stream<Arguments> rangesBetweenMarks() {
    return MARKS.stream()
        .flatMap(
            from ->
                Stream.concat(Stream.of((String) null), MARKS.stream().skip(1))
                    .map(to -> Arguments.of(from, to)));
  }

  @ParameterizedTest
  @MethodSource("rangesBetweenMarks")
  void aRangeBeginsWithItsFirstAndEndsBeforeItsLast(String from, String to) {
    List<String> keys = List.of("b", "bb", "bbb", "d", "e");
    keys.forEach(key -> put(table, key, "v"));
    KeyRange range = KeyRange.of(bytes(from), to == null ? null : bytes(to));
    List<String> expected = new ArrayList<>();
    for (String key : keys) {
      if (key.compareTo(from) >= 0 && (to == null || key.compareTo(to) < 0)) {
        expected.add(key + "=v");
      }
    }
    try (EngineSnapshot snapshot = table.snapshot()) {
      assertThat(scan(snapshot, range, false)).isEqualTo(expected);
      Collections.reverse(expected);
      assertThat(scan(snapshot, range, true)).isEqualTo(expected);
    }
  }

  @Test
  void aCursorThatHasEndedStandsNowhere() {
    put(table, "a", "1");
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(KeyRange.all(), false)) {
      assertThatIllegalStateException().isThrownBy(cursor::key);
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.key())).isEqualTo("a");
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.next()).isFalse();
      assertThatIllegalStateException().isThrownBy(cursor::key);
      assertThatIllegalStateException().isThrownBy(cursor::value);
    }
  }

  @Test
  void aClosedCursorHasNoMore() {
    put(table, "a", "1", "b", "2");
    try (EngineSnapshot snapshot = table.snapshot()) {
      EngineCursor cursor = snapshot.scan(KeyRange.all(), false);
      assertThat(cursor.next()).isTrue();
      cursor.close();
      cursor.close();
      assertThat(cursor.next()).isFalse();
      assertThatIllegalStateException().isThrownBy(cursor::key);
      assertThatIllegalStateException().isThrownBy(cursor::value);
    }
  }

  @Test
  void theLastChangeOfAKeyHolds() {
    table.apply(
        new EngineBatch()
            .put(bytes("a"), bytes("1"))
            .put(bytes("a"), bytes("2"))
            .put(bytes("b"), bytes("1"))
            .delete(bytes("b"))
            .delete(bytes("c"))
            .put(bytes("c"), bytes("1"))
            .delete(bytes("never there")));
    assertThat(all(table)).containsExactly("a=2", "c=1");
    table.apply(new EngineBatch().put(bytes("a"), bytes("3")).delete(bytes("c")));
    assertThat(all(table)).containsExactly("a=3");
    table.apply(new EngineBatch());
    assertThat(all(table)).containsExactly("a=3");
  }

  @Test
  void manyKeysAreGotAtOnceInTheOrderAskedFor() {
    put(table, "a", "1", "b", "2", "c", "");
    try (EngineSnapshot snapshot = table.snapshot()) {
      List<byte[]> keys = Stream.of("c", "x", "a", "b", "a").map(Entries::bytes).toList();
      assertThat(snapshot.getAll(keys))
          .extracting(Entries::text)
          .containsExactly("", null, "1", "2", "1");
      assertThat(snapshot.getAll(List.of())).isEmpty();
    }
  }

  @Test
  void manyKeysAreGotWithoutASnapshot() {
    put(table, "a", "1", "b", "2", "c", "");
    List<byte[]> keys = Stream.of("c", "x", "a", "b", "a").map(Entries::bytes).toList();
    assertThat(table.getAll(keys))
        .extracting(Entries::text)
        .containsExactly("", null, "1", "2", "1");
    assertThat(table.getAll(List.of())).isEmpty();
    List<byte[]> many = IntStream.range(0, 500).mapToObj(i -> bytes("k" + i)).toList();
    assertThat(table.getAll(many)).hasSize(500).containsOnlyNulls();
  }

  @Test
  void whatIsGotAtOnceIsOfOneMoment() {
    AtomicBoolean done = new AtomicBoolean();
    put(table, "a", "0", "z", "0");
    CompletableFuture<Integer> reader =
        CompletableFuture.supplyAsync(
            () -> {
              int reads = 0;
              do {
                List<byte[]> both = table.getAll(List.of(bytes("z"), bytes("a")));
                assertThat(both.get(0)).isEqualTo(both.get(1));
                reads++;
              } while (!done.get());
              return reads;
            });
    for (int round = 1; round <= 300; round++) {
      put(table, "a", String.valueOf(round), "z", String.valueOf(round));
    }
    done.set(true);
    assertThat(reader.join()).isPositive();
  }

  @Test
  void aSnapshotDoesNotChange() {
    put(table, "a", "1", "b", "1");
    try (EngineSnapshot before = table.snapshot();
        EngineCursor begun = before.scan(KeyRange.all(), false)) {
      assertThat(begun.next()).isTrue();
      table.apply(
          new EngineBatch()
              .put(bytes("a"), bytes("2"))
              .put(bytes("aa"), bytes("2"))
              .delete(bytes("b")));
      assertThat(all(table)).containsExactly("a=2", "aa=2");
      assertThat(scan(before, KeyRange.all(), true)).containsExactly("b=1", "a=1");
      assertThat(text(before.get(bytes("b")))).isEqualTo("1");
      assertThat(before.get(bytes("aa"))).isNull();
      assertThat(begun.next()).isTrue();
      assertThat(text(begun.key())).isEqualTo("b");
      assertThat(begun.next()).isFalse();
    }
  }

  @Test
  void aSnapshotMayBeReadByAnotherThread() {
    put(table, "a", "1");
    EngineSnapshot snapshot = table.snapshot();
    CompletableFuture<List<String>> read =
        CompletableFuture.supplyAsync(
            () -> {
              try (snapshot) {
                return scan(snapshot, KeyRange.all(), false);
              }
            });
    put(table, "a", "2");
    assertThat(read.join()).hasSize(1);
    put(table, "a", "3");
    assertThat(all(table)).containsExactly("a=3");
  }

  @Test
  void aClosedSnapshotIsRefused() {
    EngineSnapshot snapshot = table.snapshot();
    snapshot.close();
    snapshot.close();
    assertThatIllegalStateException().isThrownBy(() -> snapshot.get(bytes("a")));
    assertThatIllegalStateException().isThrownBy(() -> snapshot.scan(KeyRange.all(), false));
  }

  @Test
  void readersSeeBatchesWhole() {
    int rounds = 300;
    AtomicBoolean done = new AtomicBoolean();
    put(table, "a", "0", "m", "0", "z", "0");
    List<CompletableFuture<Integer>> readers =
        IntStream.range(0, 2)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> readWhole(done)))
            .toList();
    for (int round = 1; round <= rounds; round++) {
      String value = String.valueOf(round);
      put(table, "a", value, "m", value, "z", value);
    }
    done.set(true);
    readers.forEach(reader -> assertThat(reader.join()).isPositive());
    assertThat(get(table, "m")).isEqualTo(String.valueOf(rounds));
  }

  private int readWhole(AtomicBoolean done) {
    int reads = 0;
    int newest = 0;
    do {
      try (EngineSnapshot snapshot = table.snapshot()) {
        int first = Integer.parseInt(text(snapshot.get(bytes("a"))));
        String value = String.valueOf(first);
        assertThat(scan(snapshot, KeyRange.all(), reads % 2 == 0))
            .containsExactlyInAnyOrder("a=" + value, "m=" + value, "z=" + value);
        assertThat(first).isGreaterThanOrEqualTo(newest);
        newest = first;
      }
      reads++;
    } while (!done.get());
    return reads;
  }

  @Test
  void writersOfSeveralTablesDoNotMix() {
    List<CompletableFuture<Void>> writers =
        IntStream.range(0, 4)
            .mapToObj(
                n ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 50; i++) {
                            put(engine.table("w" + n % 2), n + "-" + i, "" + n);
                          }
                        }))
            .toList();
    writers.forEach(CompletableFuture::join);
    for (int n = 0; n < 2; n++) {
      int even = n;
      assertThat(all(engine.table("w" + n)))
          .hasSize(100)
          .allMatch(entry -> (entry.charAt(0) - '0') % 2 == even);
    }
  }

  @Test
  void aLargeBatchIsAppliedWhole() {
    EngineBatch batch = new EngineBatch();
    for (int i = 0; i < 20_000; i++) {
      batch.put(bytes(String.format("%06d", i * 7 % 20_000)), new byte[100]);
    }
    assertThat(batch.bytes()).isEqualTo(20_000 * 106);
    table.apply(batch);
    engine.sync();
    reopen();
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(KeyRange.from(bytes("01")), false)) {
      for (int i = 10_000; i < 20_000; i++) {
        assertThat(cursor.next()).isTrue();
        assertThat(text(cursor.key())).isEqualTo(String.format("%06d", i));
      }
      assertThat(cursor.next()).isFalse();
    }
    assertThat(table.size().entries()).isBetween(20_000L, 20_000L);
    assertThat(engine.usage().diskBytes()).isPositive();
    assertThat(engine.usage().tables()).isEqualTo(engine.tables().size());
    assertThat(engine.usage().capacityBytes()).isGreaterThanOrEqualTo(CAPACITY_BYTES);
  }
}
