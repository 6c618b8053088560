/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.node.NodeException;
import io.kasane.node.views.HeatBand;
import io.kasane.node.views.Moment;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws where rows lie by their heat, and below it how that went over time. */
final class HeatPicture {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 380;
  private static final Color FAST = new Color(0xC0392B);
  private static final Color SLOW = new Color(0x2E86C1);
  private static final Color MEMORY = new Color(0xB0B0B0);

  private HeatPicture() {}

  static void write(Path file, String table, List<HeatBand> bands, List<Moment> moments) {
    BufferedImage picture = new BufferedImage(WIDTH, 2 * HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = picture.createGraphics();
    graphics.drawImage(BitmapEncoder.getBufferedImage(map(table, bands)), 0, 0, null);
    graphics.drawImage(BitmapEncoder.getBufferedImage(course(moments)), 0, HEIGHT, null);
    graphics.dispose();
    try {
      ImageIO.write(picture, "png", file.toFile());
    } catch (IOException e) {
      throw new NodeException(
          "--png: cannot write " + file + " (" + e.getMessage() + "). Choose another file.", e);
    }
  }

  private static CategoryChart map(String table, List<HeatBand> bands) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Where the rows of " + table + " lie, by their heat")
            .xAxisTitle("rows up to this rank, the hottest first, and their share of the accesses")
            .yAxisTitle("% of these rows")
            .build();
    style(chart.getStyler());
    chart.getStyler().setStacked(true);
    chart.getStyler().setXAxisLabelRotation(60);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0);
    chart.getStyler().setSeriesColors(new Color[] {FAST, SLOW, MEMORY});
    List<String> names = bands.stream().map(HeatPicture::name).toList();
    chart.addSeries("fast", names, bands.stream().map(b -> 100 * b.fastShare()).toList());
    chart.addSeries("slow", names, bands.stream().map(b -> 100 * b.slowShare()).toList());
    chart.addSeries(
        "memory",
        names,
        bands.stream().map(b -> 100 * (1 - b.fastShare() - b.slowShare())).toList());
    return chart;
  }

  private static String name(HeatBand band) {
    return String.format(
        Locale.ROOT, "%s: %.0f%%", shorten(band.lastRank()), 100 * band.accessShare());
  }

  private static String shorten(long number) {
    return number < 10_000
        ? Long.toString(number)
        : number < 10_000_000 ? number / 1_000 + "k" : number / 1_000_000 + "M";
  }

  private static XYChart course(List<Moment> moments) {
    Unit unit = Unit.of(moments);
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Reads since the node started")
            .xAxisTitle(unit.label() + " since then")
            .yAxisTitle("% of the reads")
            .build();
    style(chart.getStyler());
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0).setXAxisMin(0.0);
    chart.getStyler().setXAxisDecimalPattern("#,##0.#");
    List<Double> times = new ArrayList<>();
    List<Double> fast = new ArrayList<>();
    List<Double> slow = new ArrayList<>();
    List<Double> memory = new ArrayList<>();
    for (int i = 1; i < moments.size(); i++) {
      Moment from = moments.get(i - 1);
      Moment to = moments.get(i);
      double reads = all(to) - all(from);
      if (reads > 0) {
        times.add(unit.of(Duration.between(moments.get(0).at(), to.at())));
        fast.add(100 * (to.readsFast() - from.readsFast()) / reads);
        slow.add(100 * (to.readsSlow() - from.readsSlow()) / reads);
        memory.add(100 * (to.readsMemory() - from.readsMemory()) / reads);
      }
    }
    if (!times.isEmpty()) {
      line(chart, "fast", times, fast, FAST);
      line(chart, "slow", times, slow, SLOW);
      line(chart, "memory", times, memory, MEMORY);
    }
    return chart;
  }

  private static double all(Moment moment) {
    return moment.readsFast() + moment.readsSlow() + moment.readsMemory();
  }

  /** The unit of the time axis. */
  private record Unit(String label, double seconds) {
    static Unit of(List<Moment> moments) {
      long seconds =
          moments.isEmpty()
              ? 0
              : Duration.between(moments.get(0).at(), moments.get(moments.size() - 1).at())
                  .toSeconds();
      return seconds < 600
          ? new Unit("seconds", 1)
          : seconds < 36_000 ? new Unit("minutes", 60) : new Unit("hours", 3_600);
    }

    double of(Duration time) {
      return time.toMillis() / 1e3 / seconds;
    }
  }

  private static void line(
      XYChart chart, String name, List<Double> x, List<Double> y, Color color) {
    chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE).setLineColor(color);
  }

  private static void style(Styler styler) {
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setChartBackgroundColor(Color.WHITE);
  }
}
