/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import io.kasane.node.NodeException;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws how the share of reads from fast rose, beside what a perfect placement would reach. */
public final class DemoPicture {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;

  private DemoPicture() {}

  /**
   * One point of the curve.
   *
   * @param seconds since the first read
   * @param fastShare of the disk reads around then, 0 to 1
   * @param mixed whether updates ran, so that the hottest reads were answered from memory
   */
  public record Point(double seconds, double fastShare, boolean mixed) {}

  static void write(Path file, DemoReport report) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Reads served from the fast disk")
            .xAxisTitle("seconds")
            .yAxisTitle("% of the reads that touched a disk")
            .build();
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0);
    chart.getStyler().setLegendPosition(LegendPosition.InsideSE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    List<Point> points = report.curve();
    double end = points.get(points.size() - 1).seconds();
    line(chart, "a perfect placement", new double[] {0, end}, flat(report.ceiling()), Color.GRAY);
    series(chart, "reads alone, nothing in memory", points, false, new Color(0xC0392B));
    series(chart, "while updates run (hottest rows in memory)", points, true, new Color(0x2E86C1));
    try {
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    } catch (IOException e) {
      throw new NodeException(
          "--picture: cannot write " + file + " (" + e.getMessage() + "). Choose another file.", e);
    }
  }

  private static double[] flat(double share) {
    return new double[] {share * 100, share * 100};
  }

  private static void series(
      XYChart chart, String name, List<Point> points, boolean mixed, Color color) {
    // A gap in the line where the other kind of load ran.
    double[] seconds = points.stream().mapToDouble(Point::seconds).toArray();
    double[] shares =
        points.stream()
            .mapToDouble(p -> p.mixed() == mixed ? p.fastShare() * 100 : Double.NaN)
            .toArray();
    line(chart, name, seconds, shares, color);
  }

  private static void line(XYChart chart, String name, double[] x, double[] y, Color color) {
    chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE).setLineColor(color);
  }
}
