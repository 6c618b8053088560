/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import io.kasane.disk.model.Request;

/**
 * What the operating system does for the writers of one file: it collects what follows on one
 * another and writes it in large pieces, or when told to.
 */
final class WriteBack {
  private static final long PIECE_BYTES = 1 << 20;

  private final Device device;
  private final long fileId;
  private long begin;
  private long end;

  WriteBack(Device device, long fileId) {
    this.device = device;
    this.fileId = fileId;
  }

  /** Takes written bytes; waits for the disk when a piece is full. */
  synchronized void write(long offset, long bytes, long sinceNanos) {
    if (offset != end) {
      flush(sinceNanos);
      begin = offset;
    }
    end = offset + bytes;
    device.memory().add(fileId, offset, end);
    if (end - begin >= PIECE_BYTES) {
      flush(sinceNanos);
    }
  }

  /** Waits until all is written. */
  synchronized void flush(long sinceNanos) {
    if (end > begin) {
      device.access(new Request(fileId, begin, end - begin, true), sinceNanos);
      begin = end;
    }
  }

  /** Lets the disk write what is left without waiting for it. */
  synchronized void flushLater() {
    if (end > begin) {
      device.submit(new Request(fileId, begin, end - begin, true), System.nanoTime());
      begin = end;
    }
  }
}
