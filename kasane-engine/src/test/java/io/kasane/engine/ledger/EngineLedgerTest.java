/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kasane.engine.spi.EngineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLedgerTest {
  private static final UUID ONE = new UUID(1, 1);
  private static final UUID OTHER = new UUID(2, -7);

  @TempDir private Path dir;
  private Path file;
  private EngineLedger ledger;

  @BeforeEach
  void open() {
    file = dir.resolve("made/engines");
    ledger = EngineLedger.open(file);
  }

  @Test
  void shouldKnowAfterARestartWhatWasMarked() {
    assertThat(ledger.all()).isEmpty();
    ledger.mark(ONE, "lmdb").close();
    ledger.mark(OTHER, "rocksdb").close();
    ledger.mark(ONE, "rocksdb").close(); // altered from one engine to the next
    ledger.mark(ONE, "lmdb").close();
    Map<UUID, Set<String>> all = ledger.all();
    assertThat(all)
        .containsEntry(ONE, Set.of("lmdb", "rocksdb"))
        .containsEntry(OTHER, Set.of("rocksdb"));
    EngineLedger again = EngineLedger.open(file);
    assertThat(again.all()).isEqualTo(all);
    assertThat(again.enginesOf(ONE)).containsExactlyInAnyOrder("lmdb", "rocksdb");
    assertThat(again.enginesOf(new UUID(3, 3))).isEmpty();
  }

  @Test
  void shouldReadWhatVersion010Wrote() throws IOException {
    Path golden = dir.resolve("golden");
    Files.writeString(
        golden,
        """
        kasane-engines 1
        00000000-0000-0001-0000-000000000001 lmdb
        00000000-0000-0001-0000-000000000001 _index_build
        00000000-0000-0002-ffff-fffffffffff9 rocksdb
        crc32 44fa9f17
        """);
    EngineLedger earlier = EngineLedger.open(golden);
    assertThat(earlier.all()).isEqualTo(Map.of(ONE, Set.of("lmdb"), OTHER, Set.of("rocksdb")));
    assertThat(earlier.wantsIndexBuild(ONE)).isTrue();
  }

  @Test
  void shouldClearOnlyWhatHasNoRows() {
    ledger.mark(ONE, "lmdb").close();
    ledger.mark(ONE, "rocksdb").close();
    assertThat(ledger.clear(ONE, "lmdb", () -> false)).isFalse();
    assertThat(EngineLedger.open(file).enginesOf(ONE)).contains("lmdb");
    assertThat(ledger.clear(ONE, "lmdb", () -> true)).isTrue();
    assertThat(EngineLedger.open(file).enginesOf(ONE)).containsExactly("rocksdb");
    assertThat(ledger.clear(ONE, "rocksdb", () -> true)).isTrue();
    assertThat(ledger.clear(ONE, "rocksdb", () -> false)).as("not marked").isTrue();
    assertThat(EngineLedger.open(file).all()).isEmpty();
  }

  @Test
  void shouldRememberIndexesThatAreToBeBuilt() {
    ledger.wantIndexBuild(ONE);
    EngineLedger again = EngineLedger.open(file);
    assertThat(again.wantsIndexBuild(ONE)).isTrue();
    assertThat(again.wantsIndexBuild(OTHER)).isFalse();
    assertThat(again.all()).as("engines").isEmpty();
    assertThat(again.enginesOf(ONE)).isEmpty();
    again.forgetIndexBuild(ONE);
    assertThat(EngineLedger.open(file).wantsIndexBuild(ONE)).isFalse();
  }

  @Test
  void shouldTakeATableOfTheSameIdForAnotherOne() {
    EngineLedger.Use last = ledger.mark(ONE, "lmdb"); // of a memtable that never ends
    ledger.wantIndexBuild(ONE);
    ledger.mark(OTHER, "lmdb").close();
    assertThat(ledger.incarnation(ONE)).isZero();
    ledger.dropped(ONE);
    EngineLedger again = EngineLedger.open(file);
    assertThat(again.incarnation(ONE)).isEqualTo(1);
    assertThat(again.all()).isEqualTo(ledger.all()).containsOnlyKeys(OTHER);
    assertThat(again.wantsIndexBuild(ONE)).isFalse();

    ledger.mark(ONE, "lmdb").close();
    assertThat(ledger.clear(ONE, "lmdb", () -> true))
        .as("the old one's use is none of it")
        .isTrue();
    ledger.dropped(ONE);
    assertThat(EngineLedger.open(file).incarnation(ONE)).isEqualTo(2);
    last.close();
  }

  @Test
  void shouldForgetWhatWasDroppedWhenNobodyCanWriteToIt() {
    EngineLedger.Use flush = ledger.mark(ONE, "lmdb");
    ledger.dropped(ONE);
    ledger.forget(ONE);
    assertThat(ledger.dropped()).as("a flush is on its way").containsExactly(ONE);
    flush.close();
    ledger.forget(ONE);
    assertThat(ledger.dropped()).isEmpty();
    assertThat(EngineLedger.open(file).incarnation(ONE)).isZero();

    ledger.dropped(ONE);
    ledger.mark(ONE, "lmdb").close();
    ledger.forget(ONE);
    assertThat(ledger.dropped()).as("made again").containsExactly(ONE);
  }

  @Test
  void shouldFollowTheIncarnationsThatEnginesHave() {
    ledger.mark(ONE, "lmdb").close();
    ledger.found(ONE, 3);
    ledger.found(ONE, 2);
    assertThat(EngineLedger.open(file).incarnation(ONE)).isEqualTo(3);
    assertThat(ledger.enginesOf(ONE)).containsExactly("lmdb");
  }

  @Test
  void shouldNotClearWhatMayBeWritten() {
    EngineLedger.Use flush = ledger.mark(ONE, "lmdb");
    assertThat(ledger.clear(ONE, "lmdb", () -> true)).as("a flush is on its way").isFalse();
    ledger.mark(ONE, "lmdb").close();
    assertThat(ledger.clear(ONE, "lmdb", () -> true)).as("the first one still is").isFalse();
    flush.close();
    flush.close();
    boolean cleared =
        ledger.clear(
            ONE,
            "lmdb",
            () -> {
              ledger.mark(ONE, "lmdb").close(); // comes and goes while the engine is asked
              return true;
            });
    assertThat(cleared).isFalse();
    assertThat(EngineLedger.open(file).enginesOf(ONE)).containsExactly("lmdb");
    assertThat(ledger.clear(ONE, "lmdb", () -> true)).isTrue();
  }

  @Test
  void shouldMarkWhileAnEngineIsAsked() throws Exception {
    ledger.mark(ONE, "lmdb").close();
    CountDownLatch hangs = new CountDownLatch(1);
    CompletableFuture<Boolean> clearing =
        CompletableFuture.supplyAsync(
            () ->
                ledger.clear(
                    ONE,
                    "lmdb",
                    () -> {
                      try {
                        return hangs.await(1, TimeUnit.MINUTES);
                      } catch (InterruptedException e) {
                        throw new AssertionError(e);
                      }
                    }));
    ledger.mark(OTHER, "rocksdb").close();
    assertThat(ledger.all()).hasSize(2);
    assertThat(clearing).isNotDone();
    hangs.countDown();
    assertThat(clearing.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(EngineLedger.open(file).all()).containsOnlyKeys(OTHER);
  }

  @Test
  void shouldNotTakeAFileThatIsNotWhole() throws IOException {
    ledger.mark(ONE, "lmdb").close();
    ledger.mark(OTHER, "lmdb").close();
    String whole = Files.readString(file);
    for (int end = 0; end < whole.length() - 1; end += 7) {
      assertRefused(whole.substring(0, end));
    }
    for (int at = 0; at < whole.length() - 1; at += 5) {
      char other = whole.charAt(at) == 'x' ? 'y' : 'x';
      assertRefused(whole.substring(0, at) + other + whole.substring(at + 1));
    }
    Files.writeString(file, whole);
    assertThat(EngineLedger.open(file).all()).hasSize(2);
  }

  private void assertRefused(String text) throws IOException {
    Files.writeString(file, text);
    assertThatExceptionOfType(EngineException.class)
        .as(text)
        .isThrownBy(() -> EngineLedger.open(file))
        .withMessageContaining(file.toString())
        .withMessageContaining("Restore");
  }

  @Test
  void shouldMarkNothingThatItCannotWrite() throws IOException {
    Files.writeString(dir.resolve("made"), "a file where a directory should be");
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> ledger.mark(ONE, "lmdb"));
    assertThat(ledger.enginesOf(ONE)).isEmpty();
    Files.delete(dir.resolve("made"));
    ledger.mark(ONE, "lmdb").close();
    assertThat(EngineLedger.open(file).enginesOf(ONE)).containsExactly("lmdb");
  }

  @Test
  void shouldRefuseNamesThatWouldBreakALine() {
    for (String name : new String[] {"", "a b", "a\nb", "Lmdb", "x".repeat(33)}) {
      assertThatIllegalArgumentException().isThrownBy(() -> ledger.mark(ONE, name));
    }
    assertThat(Files.exists(file)).isFalse();
  }
}
