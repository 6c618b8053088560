/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Columns of text, each as wide as its widest cell; numbers stand to the right. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  /** Starts a table with its heading; without one, pass no columns. */
  public TextTable(String... heading) {
    if (heading.length > 0) {
      rows.add(heading);
    }
  }

  /** Adds a row. */
  public TextTable row(String... cells) {
    rows.add(cells);
    return this;
  }

  /** A cell with a share, of 0 to 1. */
  public static String percent(double share) {
    return Double.isNaN(share) ? "n/a" : String.format(Locale.ROOT, "%.1f%%", share * 100);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.length; column++) {
        int padding = width(column) - row[column].length();
        boolean right = isNumber(row[column]);
        line.append(column == 0 ? "" : GAP)
            .append(right ? " ".repeat(padding) : "")
            .append(row[column])
            .append(right ? "" : " ".repeat(padding));
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> column < row.length)
        .mapToInt(row -> row[column].length())
        .max()
        .orElse(0);
  }

  private static boolean isNumber(String cell) {
    return cell.matches("[-+]?[\\d,]+(\\.\\d+)?( ?(%|B|KiB|MiB|GiB|TiB))?");
  }
}
