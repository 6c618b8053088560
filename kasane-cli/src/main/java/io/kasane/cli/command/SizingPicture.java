/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.node.NodeException;
import io.kasane.node.views.Sizing;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws which share of the reads the fast disk would serve, by its size. */
final class SizingPicture {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

  private SizingPicture() {}

  static void write(Path file, String table, List<Sizing> sizes) {
    long largest = sizes.get(sizes.size() - 1).fastQuotaBytes();
    int unit = Math.min(UNITS.size() - 1, (63 - Long.numberOfLeadingZeros(largest | 1)) / 10);
    double unitBytes = 1L << (10 * unit);
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("What would more fast disk serve? " + table)
            .xAxisTitle("quota on the fast disk, " + UNITS.get(unit))
            .yAxisTitle("% of the reads")
            .build();
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0).setXAxisMin(0.0);
    chart.getStyler().setLegendPosition(LegendPosition.InsideSE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    add(chart, "from the heat of now", sizes, unitBytes)
        .setMarker(SeriesMarkers.NONE)
        .setLineColor(new Color(0x2E86C1));
    point(chart, "today", sizes, Sizing.TODAY, unitBytes, new Color(0xC0392B));
    point(chart, "knee", sizes, Sizing.KNEE, unitBytes, Color.GRAY);
    try {
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    } catch (IOException e) {
      throw new NodeException(
          "--png: cannot write " + file + " (" + e.getMessage() + "). Choose another file.", e);
    }
  }

  private static XYSeries add(XYChart chart, String name, List<Sizing> sizes, double unitBytes) {
    return chart.addSeries(
        name,
        sizes.stream().mapToDouble(size -> size.fastQuotaBytes() / unitBytes).toArray(),
        sizes.stream().mapToDouble(size -> size.readShare() * 100).toArray());
  }

  private static void point(
      XYChart chart,
      String name,
      List<Sizing> sizes,
      String remark,
      double unitBytes,
      Color color) {
    List<Sizing> one = sizes.stream().filter(size -> remark.equals(size.remark())).toList();
    if (!one.isEmpty()) {
      add(chart, name, one, unitBytes)
          .setMarker(SeriesMarkers.CIRCLE)
          .setMarkerColor(color)
          .setLineStyle(SeriesLines.NONE);
    }
  }
}
