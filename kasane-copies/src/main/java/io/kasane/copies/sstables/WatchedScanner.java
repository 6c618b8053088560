/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import org.apache.cassandra.io.sstable.ISSTableScanner;

/** A scanner that says when it is closed. Used by one thread. */
public final class WatchedScanner extends ForwardingScanner {
  private Runnable onClose;

  public WatchedScanner(ISSTableScanner scanner, Runnable onClose) {
    super(scanner);
    this.onClose = onClose;
  }

  /** May be called more than once, as Cassandra does. */
  @Override
  public void close() {
    try {
      super.close();
    } finally {
      Runnable once = onClose;
      onClose = () -> {};
      once.run();
    }
  }
}
