/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.load.ZipfKeys;
import io.kasane.node.ByteSize;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import io.kasane.node.views.KasaneViews;
import io.kasane.node.views.Sizing;
import io.kasane.node.views.TableView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Runs the demonstration on a node that is up: load, flush, make sure that all lies on slow, then a
 * checked Zipf load while the hot rows move.
 */
final class Demo {
  static final String STRATEGY = "io.kasane.tier.HeatTieredCompactionStrategy";

  /** Shares of single seconds jump; these windows are what is printed and reported. */
  private static final double LIVE_WINDOW = 5;

  /** How long reads alone are measured before the mixed load: less than rows need to move. */
  private static final int SECONDS_BEFORE = 1;

  private static final int SECONDS_AFTER = 10;

  private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration SAMPLE_PERIOD = Duration.ofMillis(500);
  private static final int CURVE_SAMPLES = 4;
  private static final int LOAD_IN_FLIGHT = 64;

  private final LocalNode node;
  private final DemoSettings settings;
  private final Progress progress;

  Demo(LocalNode node, DemoSettings settings, Progress progress) {
    this.node = node;
    this.settings = settings;
    this.progress = progress;
  }

  DemoReport run() throws InterruptedException {
    NodeSettings address = node.settings();
    try (CqlSession session = node.connect()) {
      KasaneViews views =
          new KasaneViews(
              session,
              address.address(),
              address.nativePort(),
              DemoTable.KEYSPACE,
              DemoTable.TABLE);
      // Before anything is loaded: a node without the views must not cost the user a minute.
      views.table();
      DemoTable table = DemoTable.create(session, STRATEGY);
      progress.step("Loading " + "%,d".formatted(settings.rows()) + " rows, all to slow ...");
      table.load(settings.rows(), LOAD_IN_FLIGHT, progress);
      flush();
      requireAllOnSlow(views.requireTable());
      return measure(table, views);
    }
  }

  private void flush() {
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush(DemoTable.KEYSPACE, DemoTable.TABLE);
    } catch (IOException e) {
      throw new NodeException("Flushing failed: " + e.getMessage(), e);
    }
  }

  private void requireAllOnSlow(TableView view) {
    if (view.fastBytes() != 0 || view.slowBytes() == 0) {
      throw new NodeException(
          "The demonstration must start with every row on slow, but fast holds "
              + view.fastBytes()
              + " bytes and slow "
              + view.slowBytes()
              + ". The node's log may say why: "
              + node.log().path());
    }
    progress.step(
        "  %s on slow, nothing on fast; fast may hold %s."
            .formatted(
                new ByteSize(view.slowBytes()).human(),
                new ByteSize(view.fastQuotaBytes()).human()));
  }

  private DemoReport measure(DemoTable table, KasaneViews views) throws InterruptedException {
    ZipfKeys keys = new ZipfKeys(settings.rows(), settings.skew(), settings.seed());
    CheckedRows rows = new CheckedRows(settings.rows());
    progress.step("Reading for %d s, nothing in memory ...".formatted(SECONDS_BEFORE));
    Phase before = run(table, views, settings.readsOnly(SECONDS_BEFORE), keys, rows);
    progress.step(
        "Reading and updating for %d s, Zipf %s, %d%% updates; every read is checked ..."
            .formatted(settings.seconds(), settings.skew(), settings.updatePercent()));
    Phase mixed = run(table, views, settings, keys, rows);
    // Rows just updated are read from memory; to see where rows lie, memory must be empty.
    flush();
    settle(views);
    double foreseen = foreseen(views);
    progress.step("Reading for %d s, nothing in memory ...".formatted(SECONDS_AFTER));
    Phase after = run(table, views, settings.readsOnly(SECONDS_AFTER), keys, rows);
    List<Phase> phases = List.of(before, mixed, after);
    return new DemoReport(
        settings.rows(),
        phases.stream().mapToLong(Phase::operations).sum(),
        before.fastShare(),
        after.fastShare(),
        foreseen,
        keys.shareOfHottest(settings.rows() / DemoSettings.FAST_FRACTION),
        phases.stream().mapToLong(Phase::wrongReads).sum(),
        phases.stream().mapToLong(Phase::failures).sum(),
        phases.stream().mapToDouble(Phase::seconds).sum(),
        curve(phases),
        phases.stream().map(Phase::firstProblem).filter(Objects::nonNull).findFirst().orElse(null));
  }

  private static double foreseen(KasaneViews views) {
    return views.sizing().stream()
        .filter(size -> size.remark().equals(Sizing.TODAY))
        .mapToDouble(Sizing::readShare)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** One stretch of load. */
  private record Phase(
      long operations,
      double fastShare,
      long wrongReads,
      long failures,
      double seconds,
      List<Sample> samples,
      boolean mixed,
      String firstProblem) {}

  private static List<DemoPicture.Point> curve(List<Phase> phases) {
    List<DemoPicture.Point> curve = new ArrayList<>();
    double began = 0;
    for (Phase phase : phases) {
      List<Sample> samples = phase.samples();
      for (int i = CURVE_SAMPLES; i < samples.size(); i++) {
        double share = samples.get(i).fastShareSince(samples.get(i - CURVE_SAMPLES));
        if (!Double.isNaN(share)) {
          curve.add(new DemoPicture.Point(began + samples.get(i).seconds(), share, phase.mixed()));
        }
      }
      began += phase.seconds();
    }
    return curve;
  }

  private Phase run(
      DemoTable table, KasaneViews views, DemoSettings phase, ZipfKeys keys, CheckedRows rows)
      throws InterruptedException {
    List<Sample> samples = new ArrayList<>();
    samples.add(new Sample(0, 0, views.requireTable()));
    long began = System.nanoTime();
    MixedLoad load = MixedLoad.start(table, phase, keys, rows);
    try (load) {
      while (last(samples).seconds() < phase.seconds() && node.isAlive()) {
        Thread.sleep(SAMPLE_PERIOD.toMillis());
        double elapsed = (System.nanoTime() - began) / 1e9;
        samples.add(new Sample(elapsed, load.operations(), views.requireTable()));
        progress.update(line(samples, load.wrongReads()), false);
      }
    }
    progress.endLine();
    if (!node.isAlive()) {
      throw new NodeException("The node ended during the demonstration. See " + node.log().path());
    }
    return new Phase(
        load.operations(),
        last(samples).fastShareSince(samples.get(0)),
        load.wrongReads(),
        load.failures(),
        last(samples).seconds(),
        samples,
        phase.updatePercent() > 0,
        load.firstProblem());
  }

  /** Waits until no compaction of the table has run for a moment, so that files lie still. */
  private static void settle(KasaneViews views) throws InterruptedException {
    long deadline = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
    int quiet = 0;
    while (quiet < 4 && System.nanoTime() < deadline) {
      quiet = views.runningTasks() == 0 ? quiet + 1 : 0;
      Thread.sleep(SAMPLE_PERIOD.toMillis());
    }
  }

  private static String line(List<Sample> samples, long wrongReads) {
    Sample now = last(samples);
    Sample before = earlier(samples, LIVE_WINDOW);
    double share = now.fastShareSince(before);
    return String.format(
        Locale.ROOT,
        "  %4.0f s  %,6.0f ops/s  from fast %5s  fast %s  slow %s  moved %,d rows  wrong %d",
        now.seconds(),
        now.operationsPerSecondSince(before),
        Double.isNaN(share) ? "n/a" : String.format(Locale.ROOT, "%.1f%%", share * 100),
        new ByteSize(now.view().fastBytes()).human(),
        new ByteSize(now.view().slowBytes()).human(),
        now.view().promotedRows(),
        wrongReads);
  }

  /** Returns the latest sample that is at least so many seconds older than the last one. */
  private static Sample earlier(List<Sample> samples, double seconds) {
    double limit = last(samples).seconds() - seconds;
    Sample found = samples.get(0);
    for (Sample sample : samples) {
      if (sample.seconds() <= limit) {
        found = sample;
      }
    }
    return found;
  }

  private static Sample last(List<Sample> samples) {
    return samples.get(samples.size() - 1);
  }
}
