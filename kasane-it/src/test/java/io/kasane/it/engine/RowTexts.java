/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.fail;

import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.TupleValue;
import com.datastax.oss.driver.api.core.data.UdtValue;
import java.util.ArrayList;
import java.util.List;

/** Answers as lines of text, which are easy to compare and to show. */
final class RowTexts {
  private static final int MAX_SHOWN = 100;

  private RowTexts() {}

  static List<String> of(Iterable<Row> rows) {
    List<String> all = new ArrayList<>();
    for (Row row : rows) {
      StringBuilder text = new StringBuilder();
      for (ColumnDefinition column : row.getColumnDefinitions()) {
        Object value = row.getObject(column.getName());
        text.append(column.getName()).append('=').append(shown(value)).append(' ');
      }
      all.add(text.toString());
    }
    return all;
  }

  private static String shown(Object value) {
    String text =
        value instanceof UdtValue udt
            ? udt.getFormattedContents()
            : value instanceof TupleValue tuple
                ? tuple.getFormattedContents()
                : String.valueOf(value);
    return text.length() < MAX_SHOWN ? text : text.length() + "#" + text.hashCode();
  }

  /** Fails, and says which rows differ, unless these are the expected ones in their order. */
  static void requireAlike(String what, List<String> seen, List<String> expected) {
    if (!seen.equals(expected)) {
      List<String> missing = new ArrayList<>(expected);
      missing.removeAll(seen);
      List<String> wrong = new ArrayList<>(seen);
      wrong.removeAll(expected);
      fail(
          "%s%n%d rows, expected %d; missing %s%nwrong %s",
          what, seen.size(), expected.size(), missing, wrong);
    }
  }
}
