/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.table;

import static org.agrona.UnsafeAccess.UNSAFE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class HeatChunksTest {
  private static final int MANY = 2_000;
  private static final int FEW = 100;
  private static final int LINE_BYTES = 128;

  /** A field: its memory lives as long as it. */
  private final HeatChunks chunks = new HeatChunks();

  @Test
  void shouldGiveEmptyMemoryToOneOnly() {
    List<Long> taken = take(chunks, MANY);
    for (long chunk : taken) {
      assertThat(chunk % LINE_BYTES).isZero();
      for (long at = chunk; at < chunk + HeatChunks.CHUNK_BYTES; at += Long.BYTES) {
        if (UNSAFE.getLong(at) != 0) {
          throw new AssertionError("not empty, or of two chunks: " + at);
        }
      }
      UNSAFE.setMemory(chunk, HeatChunks.CHUNK_BYTES, (byte) -1);
    }
    assertThat(taken).doesNotHaveDuplicates();
  }

  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"})
  void shouldAskForHugePagesOfMuchMemory() throws IOException {
    assumeThat(Path.of("/sys/kernel/mm/transparent_hugepage")).exists();
    long last = take(chunks, MANY).get(MANY - 1);
    assertThat(flagsOf(last)).as("flags of memory of a large table").contains("hg");
  }

  /** Asked of the chunks: what the kernel says of memory may be what its last owner asked for. */
  @Test
  void shouldNotAskForHugePagesOfLittleMemory() {
    AtomicInteger asked = new AtomicInteger();
    HeatChunks counted = new HeatChunks((address, bytes) -> asked.incrementAndGet());
    take(counted, FEW);
    assertThat(asked).hasValue(0);
    take(counted, MANY);
    if (HugePages.areAvailable()) {
      assertThat(asked).hasPositiveValue();
    }
  }

  @Test
  void shouldGetSomeReadyWhereThereAreMany() {
    take(chunks, FEW);
    chunks.prepare();
    assertThat(chunks.ready()).isZero();
    List<Long> taken = take(chunks, MANY);
    chunks.prepare();
    int ready = chunks.ready();
    assertThat(ready).isPositive();
    taken.addAll(take(chunks, 2 * ready));
    assertThat(taken).doesNotHaveDuplicates();
    taken.forEach(chunks::giveBack);
    chunks.prepare();
    assertThat(chunks.ready()).as("with all that was given back").isEqualTo(taken.size());
  }

  @Test
  void shouldRefuseWhatIsNoMemory() {
    assertThat(HugePages.advise(0, HugePages.BYTES)).isFalse();
  }

  private static List<Long> take(HeatChunks chunks, int count) {
    List<Long> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(chunks.take());
    }
    return taken;
  }

  /** What the kernel says of the mapping that an address lies in, as in {@code man 5 proc}. */
  private static List<String> flagsOf(long address) throws IOException {
    boolean isIt = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        String[] range = line.substring(0, line.indexOf(' ')).split("-", 2);
        isIt =
            Long.parseUnsignedLong(range[0], 16) <= address
                && address < Long.parseUnsignedLong(range[1], 16);
      } else if (isIt && line.startsWith("VmFlags:")) {
        return List.of(line.substring("VmFlags:".length()).trim().split(" "));
      }
    }
    throw new AssertionError("no mapping of " + address);
  }
}
