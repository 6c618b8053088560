/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import io.kasane.disk.model.Request;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the operating system does for sequential readers of one file: the second read in a row makes
 * it fetch more than was asked for, twice as much each time, up to the disk's limit. Reads out of
 * what was fetched ahead cost nothing, nor do those out of memory.
 *
 * <p>Each thread is a reader of its own, as one scan runs on one thread.
 */
final class ReadAhead {
  private static final long FIRST_WINDOW_BYTES = 64 << 10;

  private final Device device;
  private final long fileId;
  private final ConcurrentHashMap<Long, Reader> readers = new ConcurrentHashMap<>();

  ReadAhead(Device device, long fileId) {
    this.device = device;
    this.fileId = fileId;
  }

  /** Waits for what a read of these bytes costs. */
  void read(long offset, long bytes, long fileBytes, long sinceNanos) {
    Reader reader = readers.computeIfAbsent(Thread.currentThread().getId(), id -> new Reader());
    reader.read(offset, bytes, fileBytes, sinceNanos);
  }

  private final class Reader {
    private long nextOffset = -1;
    private long fetchedUntil;
    private long windowBytes;

    void read(long offset, long bytes, long fileBytes, long sinceNanos) {
      long end = offset + bytes;
      if (device.memory().use(fileId, offset, end)) {
        device.servedFromMemory();
        fetchedUntil = offset == nextOffset ? Math.max(fetchedUntil, end) : end;
      } else if (offset == nextOffset) {
        if (end > fetchedUntil) {
          long ahead = Math.max(end, Math.min(fetchedUntil + windowBytes, fileBytes));
          fetch(fetchedUntil, ahead, sinceNanos);
          windowBytes = Math.min(windowBytes * 2, device.readAheadBytes());
        }
      } else {
        fetch(offset, end, sinceNanos);
        windowBytes = Math.min(FIRST_WINDOW_BYTES, device.readAheadBytes());
      }
      nextOffset = end;
    }

    private void fetch(long from, long to, long sinceNanos) {
      device.access(new Request(fileId, from, to - from, false), sinceNanos);
      device.memory().add(fileId, from, to);
      fetchedUntil = to;
    }
  }
}
