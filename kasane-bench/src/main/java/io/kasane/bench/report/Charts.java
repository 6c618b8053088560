/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.node.NodeException;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Figures as PNG; a system has the same color in all of them. */
public final class Charts {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 520;
  private static final Color[] COLORS = {
    new Color(0x7F8C8D),
    new Color(0x8E44AD),
    new Color(0xE67E22),
    new Color(0xC0392B),
    new Color(0x2980B9),
    new Color(0x27AE60),
    new Color(0x9FB3C8),
    new Color(0xD4AC0D),
    new Color(0xD81B60),
    new Color(0x2C3E50),
  };

  private Charts() {}

  /**
   * One curve.
   *
   * @param name in the legend
   * @param color a small number; the same one gives the same color
   * @param ceiling whether it is a bound rather than a contestant: dashed
   */
  public record Line(String name, int color, boolean ceiling, List<Double> x, List<Double> y) {}

  /** Draws curves. */
  public static void lines(Path file, String title, String x, String y, List<Line> lines) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    style(chart.getStyler());
    chart.getStyler().setXAxisMin(0.0);
    chart.getStyler().setDecimalPattern("#,##0.##");
    for (Line line : lines) {
      XYSeries series = chart.addSeries(line.name(), line.x(), line.y());
      series.setMarker(line.x().size() > 12 ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
      series.setMarkerColor(color(line.color()));
      series.setLineColor(color(line.color()));
      float[] dashes = line.ceiling() ? new float[] {6, 4} : null;
      series.setLineStyle(
          new BasicStroke(2.2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 1, dashes, 0));
    }
    save(chart, file);
  }

  /**
   * The bars of one system.
   *
   * @param name in the legend
   * @param color a small number; the same one gives the same color
   * @param values one for each group; NaN leaves a gap
   */
  public record Bars(String name, int color, List<Double> values) {}

  /**
   * Draws groups of bars.
   *
   * @param groups names along the axis
   */
  public static void bars(
      Path file, String title, String y, List<String> groups, List<Bars> systems) {
    CategoryChart chart =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title).yAxisTitle(y).build();
    style(chart.getStyler());
    double most =
        systems.stream()
            .flatMap(bar -> bar.values().stream())
            .filter(Double::isFinite)
            .max(Double::compare)
            .orElse(1.0);
    chart.getStyler().setYAxisMax(most * 1.08); // room for the numbers
    chart.getStyler().setAvailableSpaceFill(0.9).setLabelsVisible(true);
    chart.getStyler().setLabelsPosition(0.95);
    chart.getStyler().setLabelsFontColorAutomaticEnabled(false);
    chart.getStyler().setLabelsFontColor(Color.DARK_GRAY);
    chart.getStyler().setLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    chart.getStyler().setDecimalPattern(most < 20 ? "0.0" : "#,##0");
    for (Bars bars : systems) {
      chart.addSeries(bars.name(), groups, bars.values()).setFillColor(color(bars.color()));
    }
    save(chart, file);
  }

  private static void style(AxesChartStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setYAxisMin(0.0);
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 17));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
  }

  private static Color color(int number) {
    return COLORS[number % COLORS.length];
  }

  private static void save(Chart<?, ?> chart, Path file) {
    try {
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    } catch (IOException e) {
      throw new NodeException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
