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
    ledger.mark(ONE, "lmdb");
    ledger.mark(OTHER, "rocksdb");
    ledger.mark(ONE, "rocksdb"); // altered from one engine to the next
    ledger.mark(ONE, "lmdb");
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
  void shouldClearOnlyWhatHasNoRows() {
    ledger.mark(ONE, "lmdb");
    ledger.mark(ONE, "rocksdb");
    assertThat(ledger.clear(ONE, "lmdb", () -> false)).isFalse();
    assertThat(EngineLedger.open(file).enginesOf(ONE)).contains("lmdb");
    assertThat(ledger.clear(ONE, "lmdb", () -> true)).isTrue();
    assertThat(EngineLedger.open(file).enginesOf(ONE)).containsExactly("rocksdb");
    assertThat(ledger.clear(ONE, "rocksdb", () -> true)).isTrue();
    assertThat(ledger.clear(ONE, "rocksdb", () -> false)).as("not marked").isTrue();
    assertThat(EngineLedger.open(file).all()).isEmpty();
  }

  @Test
  void shouldNotTakeAFileThatIsNotWhole() throws IOException {
    ledger.mark(ONE, "lmdb");
    ledger.mark(OTHER, "lmdb");
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
    ledger.mark(ONE, "lmdb");
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
