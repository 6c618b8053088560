/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.List;

/**
 * How a table of versions looks. Kind 0 holds the committed version of each key under an empty
 * version, kind -1 the prepared ones, each under the 16 bytes of its timestamp. Items lie in kind 0
 * until their collection is swept, and in kinds 1, 2, ... after each sweep. Kind -2 has items that
 * were deleted: there they are found when they are swept out of the way of those who read a
 * collection.
 */
public final class TableLayout {
  /** The partition's key, as the user's codec has it. */
  public static final String PARTITION = "partition";

  /** {@link #COMMITTED}, {@link #PREPARED} or {@link #DELETED}. */
  public static final String KIND = "kind";

  /** The item of a collection; empty elsewhere. */
  public static final String ITEM = "item";

  /** The timestamp of a prepared version; empty for the committed one. */
  public static final String VERSION = "version";

  /** The whole version. */
  public static final String BODY = "body";

  /** The kind of a committed version, and the first generation of items. */
  public static final int COMMITTED = 0;

  /** The kind of prepared versions. */
  public static final int PREPARED = -1;

  /** The kind of committed deletions of items. */
  public static final int DELETED = -2;

  /** The kind of the row that says which generations of items there are: after all of them. */
  public static final int GENERATIONS = Integer.MAX_VALUE;

  /** What this library writes and reads. */
  public static final int FORMAT = 3;

  static final String MARK = "kasane-ramp format ";

  static final List<ColumnFact> COLUMNS =
      List.of(
          new ColumnFact(PARTITION, "blob", "partition_key", 0, "none"),
          new ColumnFact(KIND, "int", "clustering", 0, "asc"),
          new ColumnFact(ITEM, "blob", "clustering", 1, "asc"),
          new ColumnFact(VERSION, "blob", "clustering", 2, "asc"),
          new ColumnFact(BODY, "blob", "regular", -1, "none"));

  private TableLayout() {}

  /** The comment of a table of this library, with what its clients must share. */
  public static String comment(TableContract contract) {
    return MARK + FORMAT + " " + contract;
  }

  /** The statement that makes such a table unless there is one of that name. */
  public static String create(String keyspace, String table, TableContract contract) {
    return "CREATE TABLE IF NOT EXISTS "
        + qualified(keyspace, table)
        + " (partition blob, kind int, item blob, version blob, body blob,"
        + " PRIMARY KEY (partition, kind, item, version)) WITH comment = '"
        + comment(contract)
        + "'";
  }

  /** The table's name as CQL has it, quoted where it must be. */
  public static String qualified(String keyspace, String table) {
    return CqlIdentifier.fromInternal(keyspace).asCql(true)
        + "."
        + CqlIdentifier.fromInternal(table).asCql(true);
  }
}
