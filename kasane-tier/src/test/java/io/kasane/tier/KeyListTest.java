/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyListTest {
  @TempDir private Path dir;

  private long[] read(String text) throws IOException {
    return KeyList.read(Files.writeString(dir.resolve("keys"), text), Murmur3Partitioner.instance);
  }

  @Test
  void keysAreReadAsTheIdsThatHeatCountsUnder() throws IOException {
    long id =
        KeyIds.of(
            Murmur3Partitioner.instance.decorateKey(
                ByteBuffer.wrap(new byte[] {0x0a, (byte) 0xff})));
    assertThat(read("0aff\n\n0x0AFF\n00\n")).hasSize(2).contains(id);
  }

  @Test
  void whatIsNoKeyIsNamed() {
    assertThatThrownBy(() -> read("user1\n"))
        .hasMessageContaining("'user1'")
        .hasMessageContaining("hexadecimal");
    assertThatThrownBy(() -> KeyList.read(dir.resolve("none"), Murmur3Partitioner.instance))
        .hasMessageContaining("cannot read the key list");
  }
}
