/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.nio.ByteBuffer;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.utils.MurmurHash;

/** The 64-bit id under which heat counts a partition key. */
public final class KeyIds {
  private KeyIds() {}

  /** With Murmur3Partitioner the token, which is the key's hash already; else the same hash. */
  public static long of(DecoratedKey key) {
    if (key.getToken() instanceof Murmur3Partitioner.LongToken token) {
      return token.token;
    }
    ByteBuffer bytes = key.getKey();
    return MurmurHash.hash2_64(bytes, bytes.position(), bytes.remaining(), 0);
  }
}
