/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A drawing with axes as SVG, whose colours are those of the page, light or dark, and whose width
 * is that of the screen. Points are shares of the plot, 0 to 1 from the left and from below.
 */
final class Chart {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 284;
  private static final int LEFT = 104;
  private static final int RIGHT = 12;
  private static final int TOP = 26;
  private static final int BOTTOM = 50;

  private final String label;
  private final StringBuilder body = new StringBuilder();

  /**
   * @param label what is seen, for who cannot see it
   */
  Chart(String label) {
    this.label = label;
  }

  /** A point of a line or an area. */
  record Point(double x, double y) {}

  private static double x(double share) {
    return LEFT + share * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double share) {
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  }

  private void add(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values));
  }

  /** A line across at a height, with its words on the left. */
  Chart across(double at, String words) {
    add(
        "<line class='grid' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>",
        LEFT, WIDTH - RIGHT, y(at), y(at));
    add("<text class='end' x='%d' y='%.1f'>%s</text>", LEFT - 6, y(at) + 4, Page.escape(words));
    return this;
  }

  /** Words below the plot, within its ends. */
  Chart below(double at, String words) {
    add(
        "<text class='%s' x='%.1f' y='%d'>%s</text>",
        at <= 0 ? "" : at >= 1 ? "end" : "mid", x(at), HEIGHT - BOTTOM + 20, Page.escape(words));
    return this;
  }

  /** What the horizontal axis is. */
  Chart axis(String words) {
    add("<text class='mid dim' x='%.1f' y='%d'>%s</text>", x(0.5), HEIGHT - 4, Page.escape(words));
    return this;
  }

  /** A bar, or a part of a stack of bars. */
  Chart bar(String style, double from, double to, double low, double high, String title) {
    if (high > low) {
      add(
          "<rect class='%s' x='%.1f' y='%.1f' width='%.1f' height='%.1f'><title>%s</title></rect>",
          style,
          x(from),
          y(high),
          Math.max(1, x(to) - x(from) - 1),
          y(low) - y(high),
          Page.escape(title));
    }
    return this;
  }

  /** A line through points. */
  Chart line(String style, List<Point> points) {
    if (!points.isEmpty()) {
      List<String> at = new ArrayList<>();
      points.forEach(
          point -> at.add(String.format(Locale.ROOT, "%.1f,%.1f", x(point.x()), y(point.y()))));
      add("<polyline class='line %s' points='%s'/>", style, String.join(" ", at));
    }
    return this;
  }

  /** A point with words below it to the right, or above it to the left, as far as there is room. */
  Chart mark(String style, Point point, boolean isAbove, String words) {
    add("<circle class='%s' cx='%.1f' cy='%.1f' r='5'/>", style, x(point.x()), y(point.y()));
    boolean isLeft = point.x() > (isAbove ? 0.3 : 0.7);
    add(
        "<text class='%s' x='%.1f' y='%.1f'>%s</text>",
        isLeft ? "end" : "",
        x(point.x()) + (isLeft ? -8 : 8),
        y(point.y()) + (isAbove ? -10 : 22),
        Page.escape(words));
    return this;
  }

  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "<svg role='img' aria-label='%s' viewBox='0 0 %d %d'>",
            Page.escape(label),
            WIDTH,
            HEIGHT)
        + body
        + "</svg>\n";
  }
}
