/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineCursor;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.AbstractIterator;

/** The rows of a cursor's entries, each read when it is asked for. Closes with the cursor. */
final class StoredRows extends AbstractIterator<Row> implements AutoCloseable {
  private final EngineCursor cursor;
  private final EntryValues values;
  private final TableMetadata metadata;

  StoredRows(EngineCursor cursor, EntryValues values, TableMetadata metadata) {
    this.cursor = cursor;
    this.values = values;
    this.metadata = metadata;
  }

  @Override
  protected Row computeNext() {
    while (cursor.next()) {
      Row row = values.row(cursor.value(), metadata);
      if (row != null) {
        return row;
      }
    }
    return endOfData();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
