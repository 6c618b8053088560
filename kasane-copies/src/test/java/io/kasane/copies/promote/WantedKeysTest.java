/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

class WantedKeysTest {
  private static final int MOST = 1_024;

  private final WantedKeys wanted = new WantedKeys();

  private static DecoratedKey key(int id) {
    return Murmur3Partitioner.instance.decorateKey(ByteBufferUtil.bytes(id));
  }

  private void offer(int... ids) {
    for (int id : ids) {
      wanted.offer(key(id));
    }
  }

  @Test
  void theLatestComesFirstAndEachOnce() {
    offer(1, 2, 3, 2);
    assertThat(wanted.poll()).isEqualTo(key(3));
    assertThat(wanted.poll()).isEqualTo(key(2));
    assertThat(wanted.poll()).isEqualTo(key(1));
    assertThat(wanted.poll()).isNull();
  }

  @Test
  void whatCameMeanwhileStaysWhenOlderKeysAreDropped() {
    offer(1, 2, 3);
    wanted.poll();
    offer(4);
    wanted.dropOlder();
    assertThat(wanted.poll()).isEqualTo(key(4));
    assertThat(wanted.poll()).isNull();
  }

  @Test
  void whatWasDroppedMayComeBack() {
    offer(1, 2);
    wanted.poll();
    wanted.dropOlder();
    offer(1);
    assertThat(wanted.poll()).isEqualTo(key(1));
  }

  @Test
  void whatCameAfterAllWereForgottenStaysToo() {
    offer(1, 2, 3);
    wanted.poll();
    wanted.clear(); // by the thread that writes
    offer(4);
    wanted.dropOlder();
    assertThat(wanted.poll()).isEqualTo(key(4));
  }

  @Test
  void theOldestMakesRoomAndIsNotTakenForANewerOne() {
    offer(1, 2, 3);
    wanted.poll();
    for (int id = 0; id < MOST; id++) {
      offer(10 + id);
    }
    wanted.dropOlder();
    for (int id = MOST - 1; id >= 0; id--) {
      assertThat(wanted.poll()).isEqualTo(key(10 + id));
    }
    assertThat(wanted.poll()).isNull();
  }

  @Test
  void largeKeysAreBoundedByTheirBytes() {
    for (int id = 0; id < 1_000; id++) {
      ByteBuffer large = ByteBuffer.allocate(60_000);
      large.putInt(0, id);
      wanted.offer(Murmur3Partitioner.instance.decorateKey(large));
    }
    long bytes = 0;
    int id = 1_000;
    for (DecoratedKey key = wanted.poll(); key != null; key = wanted.poll()) {
      assertThat(key.getKey().getInt(0)).isEqualTo(--id);
      bytes += key.getKeyLength();
    }
    assertThat(bytes).isBetween(900_000L, 1L << 20);
    offer(1);
    assertThat(wanted.poll()).isEqualTo(key(1));
  }
}
