/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.protocol.internal.util.Bytes;
import io.kasane.node.LocalNode;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Twice two rows whose partition keys share a token, and one whose key does not. Each step of
 * MurmurHash3 (x64, 128 bits, seed 0; Austin Appleby's description, in the public domain) can be
 * taken back, so for any first half of a key there is a second half that leads to a given hash.
 */
final class RowsOfOneToken {
  private static final String TABLE = Tiered.KEYSPACE + ".shared";
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final long ADD1 = 0x52dce729L;
  private static final long ADD2 = 0x38495ab5L;

  private static final int READS = 5;

  private static final int LARGE_BYTES = 2 << 20;

  /** Of one pair the large row is the one that comes later on disk, of the other the earlier. */
  private static final List<ByteBuffer> keys =
      Stream.of(
              pair(7).stream().sorted(),
              Stream.of(key(1)),
              pair(8).stream().sorted(Comparator.reverseOrder()))
          .flatMap(some -> some)
          .toList();

  /** Larger than compactions copy. */
  private static final Set<Integer> LARGE = Set.of(1, 4);

  private final CqlSession session;

  /** Creates a table with the five, flushed. */
  RowsOfOneToken(LocalNode node, CqlSession session, String compaction) {
    this.session = session;
    session.execute(
        "CREATE TABLE "
            + TABLE
            + " (id blob PRIMARY KEY, v int, p blob) WITH compaction = "
            + compaction);
    Tiered.awaitSchema(node);
    for (int i = 0; i < keys.size(); i++) {
      ByteBuffer payload = ByteBuffer.allocate(LARGE.contains(i) ? LARGE_BYTES : 1);
      session.execute(
          "INSERT INTO " + TABLE + " (id, v, p) VALUES (?, ?, ?)", keys.get(i), i, payload);
    }
    // A scan, which warms no row.
    assertThat(session.execute("SELECT token(id) FROM " + TABLE).all())
        .hasSize(5)
        .extracting(row -> row.getLong(0))
        .satisfies(tokens -> assertThat(Set.copyOf(tokens)).hasSize(3));
    Tiered.flush(node, "shared");
  }

  /** The keys, as lists of hot keys name them. */
  static List<String> listed() {
    return keys.stream().map(key -> Bytes.toHexString(key).substring(2)).toList();
  }

  /** Reads one row, some times; it must be there. Those of one token are 0 and 1, 3 and 4. */
  void read(int row) {
    for (int i = 0; i < READS; i++) {
      Row found = session.execute("SELECT v FROM " + TABLE + " WHERE id = ?", keys.get(row)).one();
      assertThat(found).as("row %d", row).isNotNull();
      assertThat(found.getInt("v")).isEqualTo(row);
    }
  }

  /** The same of all of them. */
  void readAll() {
    for (int row = 0; row < keys.size(); row++) {
      read(row);
    }
  }

  /** Two keys of 32 bytes. */
  private static List<ByteBuffer> pair(long seed) {
    long[] one = after(new long[] {0, 0}, seed, 1);
    long[] other = after(new long[] {0, 0}, seed, 2);
    long[] end = after(one, 3, 4);
    long k1 = other[0] ^ Long.rotateRight(inverse(5) * (end[0] - ADD1) - other[1], 27);
    long k2 = other[1] ^ Long.rotateRight(inverse(5) * (end[1] - ADD2) - end[0], 31);
    return List.of(
        key(seed, 1, 3, 4),
        key(
            seed,
            2,
            inverse(C1) * Long.rotateRight(inverse(C2) * k1, 31),
            inverse(C2) * Long.rotateRight(inverse(C1) * k2, 33)));
  }

  /** The state after 16 more bytes. */
  private static long[] after(long[] state, long first, long second) {
    long h1 = state[0] ^ (Long.rotateLeft(first * C1, 31) * C2);
    h1 = (Long.rotateLeft(h1, 27) + state[1]) * 5 + ADD1;
    long h2 = state[1] ^ (Long.rotateLeft(second * C2, 33) * C1);
    h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + ADD2;
    return new long[] {h1, h2};
  }

  private static long inverse(long odd) {
    return BigInteger.valueOf(odd).modInverse(BigInteger.ONE.shiftLeft(Long.SIZE)).longValue();
  }

  private static ByteBuffer key(long... words) {
    ByteBuffer key = ByteBuffer.allocate(Long.BYTES * words.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long word : words) {
      key.putLong(word);
    }
    return key.order(ByteOrder.BIG_ENDIAN).flip();
  }
}
