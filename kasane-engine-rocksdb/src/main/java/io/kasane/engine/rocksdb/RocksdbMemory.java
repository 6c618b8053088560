/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.WriteBufferManager;

/**
 * What keeps RocksDB within the memory that it was granted: blocks, indexes, filters and write
 * buffers of all tables share one cache.
 */
final class RocksdbMemory implements AutoCloseable {
  private static final double BLOOM_BITS_PER_KEY = 10; // one look-up in a hundred errs

  /** More would leave reads too little: a write buffer is not read from again for long. */
  private static final int WRITE_BUFFERS_SHARE = 4;

  private final Cache cache;
  private final WriteBufferManager writeBuffers;
  private final BloomFilter filter;
  private final ColumnFamilyOptions tables;

  RocksdbMemory(long bytes) {
    cache = new LRUCache(bytes);
    long writeBytes = bytes / WRITE_BUFFERS_SHARE;
    writeBuffers = new WriteBufferManager(writeBytes, cache);
    filter = new BloomFilter(BLOOM_BITS_PER_KEY);
    tables =
        new ColumnFamilyOptions()
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setCacheIndexAndFilterBlocks(true)
                    .setPinL0FilterAndIndexBlocksInCache(true)
                    .setFilterPolicy(filter))
            .setWriteBufferSize(writeBytes / 2)
            .setLevelCompactionDynamicLevelBytes(true)
            .setCompressionType(CompressionType.LZ4_COMPRESSION);
  }

  void limit(DBOptions options) {
    options.setWriteBufferManager(writeBuffers);
  }

  /** Options of each table. */
  ColumnFamilyOptions tables() {
    return tables;
  }

  /** Returns what is in use, write buffers included. */
  long usedBytes() {
    return cache.getUsage();
  }

  @Override
  public void close() {
    tables.close();
    filter.close();
    writeBuffers.close();
    cache.close();
  }
}
