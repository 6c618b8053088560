/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.List;
import java.util.stream.IntStream;

/** YCSB's table: a text key and ten text fields. */
public final class Table {
  /** The keyspace. */
  public static final String KEYSPACE = "ycsb";

  /** The table. */
  public static final String NAME = "usertable";

  /** Keyspace and table. */
  public static final String QUALIFIED = KEYSPACE + "." + NAME;

  /** How many fields a row has. */
  public static final int FIELDS = 10;

  /** The names of the fields. */
  public static final List<String> FIELD_NAMES =
      IntStream.range(0, FIELDS).mapToObj(i -> "field" + i).toList();

  private Table() {}

  /** Returns the key of a row: 13 characters, as in the paper. */
  public static String key(int row) {
    String digits = Integer.toString(row);
    return "user" + "0".repeat(9 - digits.length()) + digits;
  }

  /** Returns the statement that creates the table, with stock size-tiered compaction. */
  public static String create() {
    StringBuilder fields = new StringBuilder();
    FIELD_NAMES.forEach(name -> fields.append(", ").append(name).append(" text"));
    return "CREATE TABLE "
        + QUALIFIED
        + " (y_id text PRIMARY KEY"
        + fields
        + ") WITH compaction = {'class': 'SizeTieredCompactionStrategy'}";
  }
}
