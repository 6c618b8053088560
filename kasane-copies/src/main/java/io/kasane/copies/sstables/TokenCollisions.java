/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.CorruptSSTableException;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.big.BigTableReader;
import org.apache.cassandra.io.sstable.format.big.RowIndexEntry;
import org.apache.cassandra.io.util.FileDataInput;
import org.apache.cassandra.utils.ByteBufferUtil;

/** Whether a key is the only one in an SSTable that has its token. */
public final class TokenCollisions {
  /** Each token is computed from a key; so many keys are passed before one is. */
  private static final int KEYS_PER_TOKEN = 64;

  private TokenCollisions() {}

  /** False, too, where the index does not show the key itself: there is no telling. */
  public static boolean isAlone(DecoratedKey key, SSTableReader sstable) {
    return sstable instanceof BigTableReader big
        ? isAloneInOneScan(key, big)
        : isAloneByNeighbours(key, sstable);
  }

  private static boolean isAloneByNeighbours(DecoratedKey key, SSTableReader sstable) {
    DecoratedKey first = sstable.firstKeyBeyond(key.getToken().minKeyBound());
    if (first == null || !first.equals(key)) {
      return false;
    }
    DecoratedKey next = sstable.firstKeyBeyond(key);
    return next == null || !next.getToken().equals(key.getToken());
  }

  /** The same, but that a key's neighbours are known by one scan, which computes few tokens. */
  private static boolean isAloneInOneScan(DecoratedKey key, BigTableReader sstable) {
    long from = sstable.getIndexSummary().getScanPosition(key.getToken().minKeyBound());
    try (FileDataInput index = sstable.getIndexFile().createReader(from)) {
      ByteBuffer before = null;
      for (int passed = 1; !index.isEOF(); passed++) {
        ByteBuffer found = ByteBufferUtil.readWithShortLength(index);
        RowIndexEntry.Serializer.skip(index, sstable.descriptor.version);
        if (found.equals(key.getKey())) {
          return !hasTokenOf(key, before, sstable)
              && (index.isEOF()
                  || !hasTokenOf(key, ByteBufferUtil.readWithShortLength(index), sstable));
        }
        if (passed % KEYS_PER_TOKEN == 0 && sstable.decorateKey(found).compareTo(key) > 0) {
          return false;
        }
        before = found;
      }
      return false;
    } catch (IOException e) {
      sstable.markSuspect();
      throw new CorruptSSTableException(e, sstable.getFilename());
    }
  }

  private static boolean hasTokenOf(DecoratedKey key, ByteBuffer other, SSTableReader sstable) {
    return other != null && sstable.getPartitioner().getToken(other).equals(key.getToken());
  }
}
