/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.Set;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;

/** A scanner that does what another does. Used by one thread. */
class ForwardingScanner implements ISSTableScanner {
  private final ISSTableScanner scanner;

  ForwardingScanner(ISSTableScanner scanner) {
    this.scanner = scanner;
  }

  @Override
  public boolean hasNext() {
    return scanner.hasNext();
  }

  @Override
  public UnfilteredRowIterator next() {
    return scanner.next();
  }

  @Override
  public TableMetadata metadata() {
    return scanner.metadata();
  }

  @Override
  public long getLengthInBytes() {
    return scanner.getLengthInBytes();
  }

  @Override
  public long getCompressedLengthInBytes() {
    return scanner.getCompressedLengthInBytes();
  }

  @Override
  public long getCurrentPosition() {
    return scanner.getCurrentPosition();
  }

  @Override
  public long getBytesScanned() {
    return scanner.getBytesScanned();
  }

  @Override
  public Set<SSTableReader> getBackingSSTables() {
    return scanner.getBackingSSTables();
  }

  @Override
  public void close() {
    scanner.close();
  }
}
