/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.KeyRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.mariadb.jdbc.Connection;

/** Reads a range page by page, since a connection answers one statement at a time. */
final class InnodbCursor implements EngineCursor {
  private static final int FIRST_PAGE = 16;
  private static final int MAX_PAGE = 512;

  /** Ends a page before it has all entries that it may have. */
  private static final long PAGE_BYTES = 1 << 20;

  /** What the client holds at a time of a page that is longer than it should be. */
  private static final int FETCH_ROWS = 8;

  private final InnodbSnapshot snapshot;
  private final boolean reversed;

  /** What is yet to be read: the bound in the direction of the walk moves. */
  private byte[] from;

  private boolean isFromIncluded = true;
  private byte[] to;
  private boolean hasMore;
  private int pageEntries = FIRST_PAGE;
  private final Deque<Map.Entry<byte[], byte[]>> page = new ArrayDeque<>();
  private Map.Entry<byte[], byte[]> entry;
  private boolean closed;

  InnodbCursor(InnodbSnapshot snapshot, KeyRange range, boolean reversed) {
    this.snapshot = snapshot;
    this.reversed = reversed;
    this.from = range.from();
    this.to = range.to();
    this.hasMore = !range.isEmpty();
  }

  @Override
  public boolean next() {
    entry = null;
    if (!closed && page.isEmpty() && hasMore) {
      snapshot.read(this::readPage);
    }
    if (!closed) {
      entry = page.poll();
    }
    return entry != null;
  }

  private Void readPage(Connection connection) throws SQLException {
    List<byte[]> bounds = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(sql(bounds))) {
      InnodbEngine.bind(select, bounds);
      if (pageEntries > FETCH_ROWS) {
        select.setFetchSize(FETCH_ROWS);
      }
      fill(select);
    }
    return null;
  }

  private void fill(PreparedStatement select) throws SQLException {
    long bytes = 0;
    int rows = 0;
    try (ResultSet found = select.executeQuery()) {
      while (bytes < PAGE_BYTES && found.next()) {
        Map.Entry<byte[], byte[]> read = Map.entry(found.getBytes(1), found.getBytes(2));
        page.add(read);
        bytes += read.getKey().length + read.getValue().length;
        rows++;
      }
    }
    hasMore = rows == pageEntries || bytes >= PAGE_BYTES;
    if (rows > 0) {
      byte[] last = page.getLast().getKey();
      if (reversed) {
        to = last;
      } else {
        from = last;
        isFromIncluded = false;
      }
      long fitting = Math.max(1, PAGE_BYTES / Math.max(1, bytes / rows));
      pageEntries = (int) Math.min(Math.min(MAX_PAGE, 2L * pageEntries), fitting);
    }
  }

  private String sql(List<byte[]> bounds) {
    StringBuilder sql = new StringBuilder("SELECT k, v FROM ").append(snapshot.sqlName());
    String and = " WHERE ";
    if (from.length > 0) {
      sql.append(and).append(isFromIncluded ? "k >= ?" : "k > ?");
      bounds.add(from);
      and = " AND ";
    }
    if (to != null) {
      sql.append(and).append("k < ?");
      bounds.add(to);
    }
    return sql.append(" ORDER BY k ")
        .append(reversed ? "DESC" : "ASC")
        .append(" LIMIT ")
        .append(pageEntries)
        .toString();
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
    page.clear();
  }
}
