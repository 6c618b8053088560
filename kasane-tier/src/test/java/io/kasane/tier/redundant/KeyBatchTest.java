/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.redundant;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class KeyBatchTest {
  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void keysOfOneHashAreToldApart() {
    KeyBatch batch =
        KeyBatch.of(
            List.of(
                new RowKey(7, bytes("a")),
                new RowKey(7, bytes("c")),
                new RowKey(7, bytes("a")),
                new RowKey(8, bytes("b"))));
    assertThat(batch.size()).isEqualTo(3);
    assertThat(batch.contains(7, bytes("a"))).isTrue();
    assertThat(batch.contains(7, bytes("c"))).isTrue();
    assertThat(batch.contains(7, bytes("b"))).isFalse();
    assertThat(batch.contains(7, bytes("ac"))).isFalse();
    assertThat(batch.contains(8, bytes("b"))).isTrue();
    assertThat(batch.contains(9, bytes("b"))).isFalse();
  }

  @Test
  void keysAreReadFromTheirPosition() {
    ByteBuffer inside = bytes("xxkeyyy");
    inside.position(2).limit(5);
    KeyBatch batch = KeyBatch.of(List.of(new RowKey(1, inside)));
    assertThat(batch.contains(1, bytes("key"))).isTrue();
    assertThat(batch.contains(1, inside)).isTrue();
  }

  @Property
  void sets(
      @ForAll Set<@IntRange(min = 0, max = 60) Integer> some,
      @ForAll Set<@IntRange(min = 0, max = 60) Integer> more) {
    KeyBatch one = batch(some);
    KeyBatch other = batch(more);
    KeyBatch union = KeyBatch.union(List.of(one, other, one));
    KeyBatch rest = one.without(other);
    KeyBatch filtered = one.filter(id -> id % 3 != 0);
    for (int key = 0; key <= 60; key++) {
      assertThat(holds(union, key)).isEqualTo(some.contains(key) || more.contains(key));
      assertThat(holds(rest, key)).isEqualTo(some.contains(key) && !more.contains(key));
      assertThat(holds(filtered, key)).isEqualTo(some.contains(key) && id(key) % 3 != 0);
    }
    assertThat(union.size() + one.size() - rest.size()).isEqualTo(one.size() + other.size());
  }

  /** Four keys share a hash; their lengths and their signs differ. */
  private static int id(int key) {
    return key / 4;
  }

  private static ByteBuffer name(int key) {
    return key % 2 == 0 ? bytes("k" + key) : ByteBuffer.wrap(new byte[] {-7, (byte) (key - 30)});
  }

  private static boolean holds(KeyBatch batch, int key) {
    return batch.contains(id(key), name(key));
  }

  private static KeyBatch batch(Set<Integer> keys) {
    return KeyBatch.of(keys.stream().map(key -> new RowKey(id(key), name(key))).toList());
  }
}
