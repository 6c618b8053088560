/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.report;

import io.kasane.cli.report.Chart.Point;
import io.kasane.node.ByteSize;
import io.kasane.node.views.DiskRow;
import io.kasane.node.views.HeatBand;
import io.kasane.node.views.HotKey;
import io.kasane.node.views.Moment;
import io.kasane.node.views.Sizing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The page as HTML: no script, nothing from elsewhere, light or dark as the reader's screen is. */
final class Page {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --paper: #fff; --ink: #1c2430; --dim: #5b6675; --grid: #d9dee5;
        --fast: #e2673a; --slow: #4a7fb5; --memory: #9aa5b1; --card: #f5f7f9; }
      @media (prefers-color-scheme: dark) { :root { --paper: #12161c; --ink: #e6eaf0; --dim: #98a4b3;
        --grid: #2c3440; --fast: #f08a5d; --slow: #6fa3d8; --memory: #6b7785; --card: #1a2029; } }
      * { box-sizing: border-box; }
      body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--paper); color: var(--ink);
        font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
      h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
      .dim, figcaption { color: var(--dim); font-size: .875rem; } figure { margin: 0; }
      .numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem; }
      .numbers div { background: var(--card); border-radius: .5rem; padding: .6rem .8rem; }
      .numbers b { display: block; font-size: 1.3rem; }
      ul.advice { background: var(--card); border-left: 4px solid var(--fast); border-radius: .25rem;
        margin: 1rem 0; padding: .6rem 1rem .6rem 2rem; }
      svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font-size: 12px; }
      svg text.dim { fill: var(--dim); font-size: 12px; } .end { text-anchor: end; } .mid { text-anchor: middle; }
      .grid { stroke: var(--grid); } .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
      rect.fast, circle.fast { fill: var(--fast); } rect.slow, circle.slow { fill: var(--slow); }
      rect.memory { fill: var(--memory); } .line.fast { stroke: var(--fast); } .line.slow { stroke: var(--slow); }
      .key { display: inline-block; width: .8em; height: .8em; border-radius: .15em; margin: 0 .3em 0 .8em; }
      .key.fast { background: var(--fast); } .key.slow { background: var(--slow); }
      .key.memory { background: var(--memory); }
      @media (max-width: 36rem) { svg text, svg text.dim { font-size: 21px; } }
      .wide { overflow-x: auto; overflow-wrap: normal; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
      td, th { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--grid); }
      td.number, th.number { text-align: right; }
      """;

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneId.systemDefault());
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ENGLISH).withZone(ZoneId.systemDefault());

  /** As many words below a plot as fit on a telephone. */
  private static final int MOST_LABELS = 8;

  private static final int MOST_LINES = 12;

  private final TableFacts facts;
  private final StringBuilder html = new StringBuilder();

  private Page(TableFacts facts) {
    this.facts = facts;
  }

  /** Draws it. */
  static String of(TableFacts facts) {
    Page page = new Page(facts);
    page.draw();
    return page.html.toString();
  }

  /** Text as it may stand in HTML, in attributes, too. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private void add(String format, Object... values) {
    html.append(String.format(Locale.ROOT, format, values));
  }

  private void draw() {
    String table = escape(facts.summary().table());
    html.append("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n");
    html.append("<meta name='viewport' content='width=device-width, initial-scale=1'>\n");
    html.append("<title>").append(table).append(" in Kasane</title>\n<style>\n");
    html.append(STYLE).append("</style></head><body>\n");
    add("<h1>%s</h1>\n", table);
    add(
        "<p class='dim'>As node %s saw it on %s. Kasane %s, Cassandra %s. Policy %s, mode %s.</p>\n",
        escape(facts.node().about().address()),
        DAY.format(facts.at()),
        escape(facts.node().about().kasaneVersion()),
        escape(facts.node().about().cassandraVersion()),
        escape(facts.summary().policy()),
        escape(facts.summary().tierMode()));
    html.append("<ul class='advice'>\n");
    Advice.of(facts).forEach(sentence -> add("<li>%s</li>\n", escape(sentence)));
    html.append("</ul>\n");
    numbers();
    heat();
    if (facts.hasFastDisk()) {
      reads();
    }
    sizing();
    if (facts.hasFastDisk()) {
      moves();
    }
    disks();
    keys();
    html.append("</body></html>\n");
  }

  private void numbers() {
    html.append("<div class='numbers'>\n");
    if (facts.hasFastDisk()) {
      number(
          percent(facts.summary().fastReadShare(), facts.diskReads()),
          "of the disk reads from fast");
      number(
          bytes(facts.summary().fastUsedBytes()),
          "on fast; its share of the quota is " + bytes(facts.summary().fastQuotaBytes()));
    }
    number(bytes(facts.summary().slowBytes()), "on slow");
    if (facts.hasFastDisk()) {
      number(
          String.format(Locale.ROOT, "%,d", facts.table().hotKeys()),
          "hot rows, "
              + percent(facts.table().hotAccessShare(), facts.table().trackedKeys())
              + " of the accesses");
    }
    html.append("</div>\n");
  }

  private void number(String value, String what) {
    add("<div><b>%s</b>%s</div>\n", escape(value), escape(what));
  }

  private void heat() {
    html.append("<h2>Where rows lie, by their heat</h2>\n");
    List<HeatBand> bands = facts.heat();
    if (bands.isEmpty()) {
      html.append("<p>No row has any heat yet.</p>\n");
      return;
    }
    Chart chart =
        new Chart("Share of the rows on fast and on slow, from the hottest to the coldest");
    for (double at : new double[] {0, 0.5, 1}) {
      chart.across(at, Math.round(100 * at) + " %");
    }
    int every = (bands.size() + MOST_LABELS - 1) / MOST_LABELS;
    for (int i = 0; i < bands.size(); i++) {
      HeatBand band = bands.get(i);
      double from = (double) i / bands.size();
      double to = (i + 1.0) / bands.size();
      double fast = band.fastShare();
      double slow = fast + band.slowShare();
      String rows =
          String.format(
              Locale.ROOT,
              "rows %,d to %,d, %.1f %% of the accesses: ",
              band.firstRank(),
              band.lastRank(),
              100 * band.accessShare());
      chart.bar("fast", from, to, 0, fast, rows + "fast " + Math.round(100 * fast) + " %");
      chart.bar(
          "slow", from, to, fast, slow, rows + "slow " + Math.round(100 * band.slowShare()) + " %");
      chart.bar("memory", from, to, slow, 1, rows + "in memory alone");
      if (i % every == 0) {
        chart.below((from + to) / 2, rank(band.lastRank()));
      }
    }
    chart.axis("up to this rank, from the hottest row on");
    figure(
        chart,
        legend("fast", "slow", "memory") + "<br>Each bar has twice as many rows as the last.");
  }

  private void reads() {
    html.append("<h2>Reads from fast over time</h2>\n");
    List<Moment> history = facts.history();
    List<Point> share = new ArrayList<>();
    for (int i = 1; i < history.size(); i++) {
      double fast = history.get(i).readsFast() - history.get(i - 1).readsFast();
      double slow = history.get(i).readsSlow() - history.get(i - 1).readsSlow();
      if (fast + slow > 0) {
        share.add(new Point(when(history, i), fast / (fast + slow)));
      }
    }
    if (share.isEmpty()) {
      html.append("<p>No read has touched a disk since the node started.</p>\n");
      return;
    }
    Chart chart = new Chart("Share of the disk reads that fast served, over time");
    for (double at : new double[] {0, 0.5, 1}) {
      chart.across(at, Math.round(100 * at) + " %");
    }
    times(chart, history);
    figure(chart.line("fast", share), "Of the reads that touched a disk.");
  }

  private void sizing() {
    html.append("<h2>What another quota would serve</h2>\n");
    List<Sizing> sizes = facts.sizing();
    long most = sizes.stream().mapToLong(Sizing::fastQuotaBytes).max().orElse(0);
    // A quota of 90 % of a large disk would press the curve of a small table against the left.
    long shown =
        Math.min(
            most,
            2
                * sizes.stream()
                    .filter(size -> !size.remark().equals("today"))
                    .mapToLong(Sizing::fastQuotaBytes)
                    .max()
                    .orElse(most));
    if (shown == 0 || sizes.stream().allMatch(size -> size.readShare() == 0)) {
      html.append("<p>No row has any heat yet.</p>\n");
      return;
    }
    Chart chart = new Chart("Share of the reads that fast would serve, by its quota");
    for (double at : new double[] {0, 0.5, 1}) {
      chart.across(at, Math.round(100 * at) + " %");
    }
    chart.below(0, "0").below(0.5, bytes(shown / 2)).below(1, bytes(shown));
    List<Point> curve = new ArrayList<>(List.of(new Point(0, 0)));
    sizes.stream()
        .filter(size -> size.fastQuotaBytes() <= shown)
        .forEach(size -> curve.add(at(size, shown)));
    chart.line("fast", curve);
    sizes.stream()
        .filter(size -> !size.remark().isEmpty() && size.fastQuotaBytes() > 0)
        .forEach(
            size ->
                chart.mark(
                    size.remark().equals("today") ? "slow" : "fast",
                    at(size, shown),
                    size.remark().equals("today"),
                    size.remark() + ": " + bytes(size.fastQuotaBytes())));
    figure(
        chart,
        "Reads that memory serves count, too, and all hot rows have come. At the knee more quota begins"
            + " to bring less than it did on average.");
  }

  private static Point at(Sizing size, long shown) {
    return new Point(Math.min(1, (double) size.fastQuotaBytes() / shown), size.readShare());
  }

  private void moves() {
    html.append("<h2>What Kasane did lately</h2>\n");
    List<Moment> history = facts.history();
    List<Point> bytes = new ArrayList<>();
    long most = history.stream().mapToLong(Moment::fastBytes).max().orElse(0);
    for (int i = 0; i < history.size() && most > 0; i++) {
      bytes.add(new Point(when(history, i), (double) history.get(i).fastBytes() / most));
    }
    if (bytes.size() > 1) {
      Chart chart = new Chart("Bytes on fast over time").across(0, "0").across(1, bytes(most));
      times(chart, history);
      figure(chart.line("fast", bytes), "Bytes on fast.");
    }
    html.append(
        "<div class='wide'><table><tr><th>from</th><th>to</th><th class='number'>rows to fast</th>");
    html.append("<th class='number'>rows back</th><th class='number'>on fast</th></tr>\n");
    DateTimeFormatter format = isOfADay(history) ? SECOND : DAY;
    int lines = 0;
    for (int i = history.size() - 1; i > 0 && lines < MOST_LINES; i--) {
      Moment before = history.get(i - 1);
      Moment now = history.get(i);
      long to = now.promotedRows() - before.promotedRows();
      long back = now.demotedRows() - before.demotedRows();
      if (to > 0 || back > 0) {
        lines++;
        add(
            "<tr><td>%s</td><td>%s</td><td class='number'>%,d</td><td class='number'>%,d</td>"
                + "<td class='number'>%s</td></tr>\n",
            format.format(before.at()), format.format(now.at()), to, back, bytes(now.fastBytes()));
      }
    }
    html.append("</table></div>\n");
    if (lines == 0) {
      html.append("<p>It moved no row since the node started.</p>\n");
    } else {
      html.append(
          "<p class='dim'>Rows come to fast because they are read more often than what lies there,"
              + " and go back when others are, or when the quota is full.</p>\n");
    }
  }

  private void disks() {
    html.append("<h2>Disks of the node</h2>\n<div class='wide'><table>");
    html.append(
        "<tr><th>directory</th><th>tier</th><th class='number'>free</th><th class='number'>of</th></tr>\n");
    for (DiskRow disk : facts.node().disks()) {
      add(
          "<tr><td>%s</td><td><span class='key %s'></span>%s%s</td><td class='number'>%s</td>"
              + "<td class='number'>%s</td></tr>\n",
          escape(disk.directory()),
          disk.tier().equals("fast") ? "fast" : "slow",
          escape(disk.tier()),
          disk.isUsable() ? "" : ", cannot be written to",
          disk.freeBytes().isPresent() ? bytes(disk.freeBytes().getAsLong()) : "unknown",
          disk.totalBytes().isPresent() ? bytes(disk.totalBytes().getAsLong()) : "unknown");
    }
    html.append("</table></div>\n");
  }

  private void keys() {
    if (facts.hottest().isEmpty()) {
      return;
    }
    html.append(
        "<h2>Hottest rows</h2>\n<div class='wide'><table><tr><th class='number'>rank</th><th>key</th>");
    html.append("<th class='number'>accesses</th><th>tier</th><th class='number'>size</th></tr>\n");
    for (HotKey key : facts.hottest()) {
      add(
          "<tr><td class='number'>%d</td><td>%s</td><td class='number'>%.1f %%</td><td>%s</td>"
              + "<td class='number'>%s</td></tr>\n",
          key.rank(),
          escape(String.valueOf(key.key())),
          100 * key.accessShare(),
          escape(String.valueOf(key.tier())),
          bytes(key.sizeBytes()));
    }
    html.append("</table></div>\n");
  }

  private static double when(List<Moment> history, int i) {
    Instant first = history.get(0).at();
    Duration all = Duration.between(first, history.get(history.size() - 1).at());
    return all.isZero()
        ? 0
        : (double) first.until(history.get(i).at(), ChronoUnit.MILLIS) / all.toMillis();
  }

  private static boolean isOfADay(List<Moment> history) {
    return history.isEmpty()
        || Duration.between(history.get(0).at(), history.get(history.size() - 1).at()).toHours()
            < 24;
  }

  private static void times(Chart chart, List<Moment> history) {
    Instant first = history.get(0).at();
    Duration all = Duration.between(first, history.get(history.size() - 1).at());
    DateTimeFormatter format = isOfADay(history) ? CLOCK : DAY;
    for (double at : new double[] {0, 0.5, 1}) {
      chart.below(at, format.format(first.plusMillis(Math.round(all.toMillis() * at))));
    }
  }

  private void figure(Chart chart, String caption) {
    html.append("<figure>").append(chart).append("<figcaption>");
    html.append(caption).append("</figcaption></figure>\n");
  }

  private static String legend(String... styles) {
    StringBuilder legend = new StringBuilder();
    for (String style : styles) {
      legend.append("<span class='key ").append(style).append("'></span>").append(style);
    }
    return legend.toString();
  }

  private static String rank(long rank) {
    return rank < 10_000
        ? String.format(Locale.ROOT, "%,d", rank)
        : rank < 10_000_000
            ? String.format(Locale.ROOT, "%,dk", rank / 1000)
            : String.format(Locale.ROOT, "%,dM", rank / 1_000_000);
  }

  private static String percent(double share, long of) {
    return of == 0 || Double.isNaN(share)
        ? "no"
        : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String bytes(long bytes) {
    return new ByteSize(Math.max(0, bytes)).human();
  }
}
