/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.KeyRange;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Reads a range page by page; a page is one call, however many entries it has. */
final class RedisCursor implements EngineCursor {
  private static final int FIRST_PAGE = 16;
  private static final int MAX_PAGE = 512;

  /** Ends a page before it has all entries that it may have. */
  private static final int PAGE_BYTES = 1 << 20;

  /** Whether more entries may follow, and the keys and values of a page. */
  private static final byte[] PAGE =
      RedisWords.of(
          "local keys = redis.call(ARGV[1], KEYS[1], ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])\n"
              + "local page, bytes = {#keys == tonumber(ARGV[4]) and 1 or 0}, 0\n"
              + "for i, key in ipairs(keys) do\n"
              + "  if bytes > tonumber(ARGV[5]) then page[1] = 1; break end\n"
              + "  local value = redis.call('HGET', KEYS[2], key)\n"
              + "  page[2 * i], page[2 * i + 1] = key, value\n"
              + "  bytes = bytes + #key + #value\n"
              + "end\n"
              + "return page\n");

  private final RedisTable table;
  private final long at;
  private final boolean reversed;

  /** What is yet to be read: the bound in the direction of the walk moves. */
  private byte[] from;

  private boolean isFromIncluded = true;
  private byte[] to;
  private boolean hasMore;
  private int pageEntries = FIRST_PAGE;
  private Iterator<Map.Entry<byte[], byte[]>> page = Map.<byte[], byte[]>of().entrySet().iterator();
  private Map.Entry<byte[], byte[]> entry;
  private boolean closed;

  RedisCursor(RedisTable table, long at, KeyRange range, boolean reversed) {
    this.table = table;
    this.at = at;
    this.reversed = reversed;
    this.from = range.from();
    this.to = range.to();
    this.hasMore = !range.isEmpty();
  }

  @Override
  public boolean next() {
    entry = null;
    while (!closed && !page.hasNext() && hasMore) {
      readPage();
    }
    if (!closed && page.hasNext()) {
      entry = page.next();
    }
    return entry != null;
  }

  private void readPage() {
    byte[] low = from.length == 0 ? RedisWords.of("-") : bound(isFromIncluded ? '[' : '(', from);
    byte[] high = to == null ? RedisWords.of("+") : bound('(', to);
    List<?> answer =
        (List<?>)
            table
                .calls()
                .read(
                    RedisEngine.words(
                        "EVAL",
                        PAGE,
                        RedisWords.of("2"),
                        table.keys(),
                        table.values(),
                        RedisWords.of(reversed ? "ZREVRANGEBYLEX" : "ZRANGEBYLEX"),
                        reversed ? high : low,
                        reversed ? low : high,
                        RedisWords.of(pageEntries),
                        RedisWords.of(PAGE_BYTES)));
    pageEntries = Math.min(MAX_PAGE, 2 * pageEntries);
    NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    byte[] last = null;
    for (int i = 1; i < answer.size(); i += 2) {
      last = (byte[]) answer.get(i);
      entries.put(last, (byte[]) answer.get(i + 1));
    }
    hasMore = (Long) answer.get(0) == 1 && last != null;
    putBack(entries, hasMore ? last : null);
    page = (reversed ? entries.descendingMap() : entries).entrySet().iterator();
    if (hasMore) {
      if (reversed) {
        to = last;
      } else {
        from = last;
        isFromIncluded = false;
      }
    }
  }

  private static byte[] bound(char kind, byte[] key) {
    byte[] bound = new byte[key.length + 1];
    bound[0] = (byte) kind;
    System.arraycopy(key, 0, bound, 1, key.length);
    return bound;
  }

  /**
   * Puts back what was replaced in that part of the range which the page covers.
   *
   * @param last the page's last entry, in the direction of the walk; null if it covers all the rest
   */
  private void putBack(NavigableMap<byte[], byte[]> entries, byte[] last) {
    NavigableMap<byte[], UndoLog.Old> replaced;
    if (last == null) {
      replaced = table.undo().find(at, from, isFromIncluded, to, false);
    } else if (reversed) {
      replaced = table.undo().find(at, last, true, to, false);
    } else {
      replaced = table.undo().find(at, from, isFromIncluded, last, true);
    }
    replaced.forEach(
        (key, old) -> {
          if (old.value() == null) {
            entries.remove(key);
          } else {
            entries.put(key, old.value());
          }
        });
  }

  @Override
  public byte[] key() {
    requireEntry();
    return entry.getKey();
  }

  @Override
  public byte[] value() {
    requireEntry();
    return entry.getValue();
  }

  private void requireEntry() {
    if (entry == null || closed) {
      throw new IllegalStateException("the cursor stands on no entry");
    }
  }

  @Override
  public void close() {
    closed = true;
    page = Map.<byte[], byte[]>of().entrySet().iterator();
  }
}
