/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.copies.sstables.KeyIds;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.track.HeatMemory;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30) // a pipe or a device would be read for ever
class KeyListTest {
  private static final Murmur3Partitioner PARTITIONER = Murmur3Partitioner.instance;

  @TempDir private Path dir;
  private Path lists;

  @BeforeEach
  void makeDirectory() throws IOException {
    lists = Files.createDirectory(dir.resolve("lists"));
  }

  private long[] read(String text) throws IOException {
    Files.writeString(lists.resolve("keys"), text);
    return KeyList.read(lists, "keys", PARTITIONER, keys -> true);
  }

  private static long id(int... bytes) {
    byte[] key = new byte[bytes.length];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) bytes[i];
    }
    return KeyIds.of(PARTITIONER.decorateKey(ByteBuffer.wrap(key)));
  }

  @Test
  void keysAreReadAsTheIdsThatHeatCountsUnder() throws IOException {
    assertThat(read("0aff\n\n 0x0AFF\r\n  \n00")).containsExactlyInAnyOrder(id(0x0a, 0xff), id(0));
    assertThat(read("")).isEmpty();
    assertThat(read("ab".repeat(65_535))).hasSize(1);
  }

  @Test
  void whatIsNoKeyIsNamedByItsLineAndNeverShown() {
    for (String secret :
        new String[] {"secret", "0xsecret", "0", "0x", "ÿÿ", "ab".repeat(65_536)}) {
      assertThatThrownBy(() -> read("00\n\n" + secret + "\n"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("line 3 of the key list 'keys' is not a partition key")
          .hasMessageNotContaining("secret")
          .hasMessageNotContaining("abab");
    }
  }

  @Test
  void onlyRegularFilesWithinTheDirectoryAreRead() throws Exception {
    Path outside = Files.writeString(dir.resolve("outside"), "00\n");
    Files.createSymbolicLink(lists.resolve("escapes"), outside);
    Files.createSymbolicLink(lists.resolve("zero"), Path.of("/dev/zero"));
    Files.createSymbolicLink(lists.resolve("loop"), lists.resolve("loop"));
    Files.createDirectory(lists.resolve("directory"));
    assertThat(new ProcessBuilder("mkfifo", lists.resolve("pipe").toString()).start().waitFor())
        .isZero();
    for (String name : new String[] {"escapes", "zero", "loop", "directory", "pipe", "none"}) {
      assertThatThrownBy(() -> KeyList.read(lists, name, PARTITIONER, keys -> true))
          .as(name)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the key list '" + name + "' is not");
    }
    // As Kubernetes mounts a ConfigMap.
    Files.createDirectory(lists.resolve("..data"));
    Files.writeString(lists.resolve("..data/mounted"), "00\n");
    Files.createSymbolicLink(lists.resolve("mounted"), Path.of("..data/mounted"));
    assertThat(KeyList.read(lists, "mounted", PARTITIONER, keys -> true)).containsExactly(id(0));
    Path link = Files.createSymbolicLink(dir.resolve("link"), lists);
    assertThat(KeyList.read(link, "mounted", PARTITIONER, keys -> true)).hasSize(1);
  }

  @Test
  void aListIsBounded() throws IOException {
    try (RandomAccessFile large = new RandomAccessFile(lists.resolve("large").toFile(), "rw")) {
      large.setLength(KeyList.MAX_BYTES + 1);
    }
    assertThatThrownBy(() -> KeyList.read(lists, "large", PARTITIONER, keys -> true))
        .hasMessageContaining("longer than 64 MiB");
    Files.writeString(lists.resolve("keys"), "00\n01\n");
    assertThatThrownBy(() -> KeyList.read(lists, "keys", PARTITIONER, keys -> keys < 2))
        .hasMessageContaining("has 2 keys")
        .hasMessageContaining("heat_memory");
  }

  @Test
  void aListThatCannotBeReadIsTriedAgain() throws IOException {
    AtomicLong nanos = new AtomicLong();
    HeatMemory memory = new HeatMemory(1 << 20, 1 << 20, 1 << 19);
    long freeKeys = memory.listBytes() / HeatMemory.LISTED_KEY_BYTES;
    KeyLists.ListedKeys listed =
        new KeyLists(Optional.of(lists), memory, nanos::get).open("k.t", "keys", PARTITIONER);
    HeatTracker tracker = new HeatTracker(HeatTrackerOptions.defaults(), () -> 0, 1);
    assertThat(listed.select(tracker.snapshot())).isEqualTo(HotSet.unknown());

    Files.writeString(lists.resolve("keys"), "00\n");
    listed.tick();
    assertThat(listed.select(tracker.snapshot())).as("not yet").isEqualTo(HotSet.unknown());
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    listed.tick();
    assertThat(listed.select(tracker.snapshot()).temperatureOf(id(0))).isEqualTo(Temperature.HOT);
    assertThat(listed.select(tracker.snapshot()).temperatureOf(id(1))).isEqualTo(Temperature.COLD);
    assertThat(memory.list((int) freeKeys)).as("the list takes room").isFalse();

    listed.close();
    assertThat(memory.list((int) freeKeys)).as("and gives it back").isTrue();
  }

  @Test
  void aNodeThatOffersNoListsSaysSo() {
    KeyLists none =
        new KeyLists(Optional.empty(), new HeatMemory(1 << 20, 1 << 20, 1 << 19), System::nanoTime);
    HeatTracker tracker = new HeatTracker(HeatTrackerOptions.defaults(), () -> 0, 1);
    assertThat(none.open("k.t", "keys", PARTITIONER).select(tracker.snapshot()))
        .isEqualTo(HotSet.unknown());
  }
}
