/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.heat.HeatTracker;
import io.kasane.heat.HeatTrackerOptions;
import io.kasane.heat.policy.BudgetPolicy;
import io.kasane.heat.sim.Replay;
import io.kasane.heat.sim.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints how much of each trace hits the budget policy's hot set, beside the exact oracles.
 *
 * <pre>
 * HeatReplay [--out file.csv] [--aging n] [--selections n] source...
 *   source   a file.trace or file.trace.xz, or zipf:s:keys:accesses, scrambled:s:keys:accesses,
 *            drift:s:keys:accesses (zipf whose ranks move by a tenth of the keys, ten times)
 * </pre>
 *
 * Keys are of equal size; budgets are 1, 5 and 10 % of a trace's keys; the tracker may hold all
 * keys, 4 or 2 times the budget. {@code online} is the same with exact unaged counts, {@code fixed}
 * the best set for the whole trace known beforehand.
 */
public final class HeatReplay {
  private static final long SEED = 42;
  private static final int[] CAPACITY_FACTORS = {0, 4, 2};
  private static final int[] BUDGET_PERCENTS = {1, 5, 10};

  private final List<String> csv = new ArrayList<>();
  private long aging = HeatTrackerOptions.AUTOMATIC_AGING;
  private int selections = 50;

  private HeatReplay() {}

  /** Runs it; exits with 2 on wrong arguments. */
  public static void main(String[] args) throws IOException {
    HeatReplay replay = new HeatReplay();
    List<String> sources = new ArrayList<>();
    Path out = null;
    for (int i = 0; i < args.length; i++) {
      if (args[i].startsWith("--") && i + 1 == args.length) {
        usage(args[i] + " needs a value");
      }
      switch (args[i]) {
        case "--out" -> out = Path.of(args[++i]);
        case "--aging" -> replay.aging = Long.parseLong(args[++i]);
        case "--selections" -> replay.selections = Integer.parseInt(args[++i]);
        default -> sources.add(args[i]);
      }
    }
    if (sources.isEmpty()) {
      usage("no source given");
    }
    replay.csv.add("trace,accesses,keys,budget_percent,capacity_keys,hit_share,online,fixed,ratio");
    System.out.printf(
        "%-28s %7s %10s %8s %8s %8s %8s%n",
        "trace", "budget", "capacity", "hits", "online", "fixed", "ratio");
    for (String source : sources) {
      replay.run(source);
    }
    if (out != null) {
      Files.write(out, replay.csv);
    }
  }

  private static void usage(String problem) {
    System.err.println(
        problem
            + "\nusage: HeatReplay [--out file.csv] [--aging accesses] [--selections n] source..."
            + "\nsource: file.trace, file.trace.xz, zipf:s:keys:accesses,"
            + " scrambled:s:keys:accesses or drift:s:keys:accesses");
    System.exit(2);
  }

  private void run(String source) throws IOException {
    Trace trace = load(source);
    int selectEvery = Math.max(1, trace.length() / selections);
    for (int percent : BUDGET_PERCENTS) {
      int budget = Math.max(1, trace.distinctKeys() * percent / 100);
      double online = Replay.oracleHitShare(trace, budget, selectEvery);
      double fixed = Replay.staticHitShare(trace, budget);
      for (int factor : CAPACITY_FACTORS) {
        int capacity =
            factor == 0
                ? Math.max(HeatTrackerOptions.DEFAULT_CAPACITY, trace.distinctKeys() * 5 / 4)
                : budget * factor;
        HeatTrackerOptions options =
            HeatTrackerOptions.defaults().withCapacityKeys(capacity).withAgingAccesses(aging);
        double hits =
            Replay.hitShare(
                trace,
                new HeatTracker(options, () -> 0, SEED),
                new BudgetPolicy(() -> budget, 1),
                selectEvery);
        row(trace, percent, factor, capacity, hits, online, fixed);
      }
    }
  }

  private void row(
      Trace trace,
      int percent,
      int factor,
      int capacity,
      double hits,
      double online,
      double fixed) {
    double ratio = hits / online;
    System.out.printf(
        Locale.ROOT,
        "%-28s %6d%% %10s %8.4f %8.4f %8.4f %7.1f%%%n",
        trace.name(),
        percent,
        factor == 0 ? "all" : factor + "x",
        hits,
        online,
        fixed,
        100 * ratio);
    csv.add(
        String.format(
            Locale.ROOT,
            "%s,%d,%d,%d,%d,%.6f,%.6f,%.6f,%.6f",
            trace.name(),
            trace.length(),
            trace.distinctKeys(),
            percent,
            capacity,
            hits,
            online,
            fixed,
            ratio));
  }

  private static Trace load(String source) throws IOException {
    String[] parts = source.split(":", -1);
    if (parts.length == 4) {
      double s = Double.parseDouble(parts[1]);
      int keys = Integer.parseInt(parts[2]);
      int accesses = Integer.parseInt(parts[3]);
      return switch (parts[0]) {
        case "zipf" -> Trace.zipf(keys, s, accesses, SEED);
        case "scrambled" -> Trace.scrambledZipf(keys, s, accesses, SEED);
        case "drift" -> drift(keys, s, accesses);
        default -> throw new IllegalArgumentException("unknown source " + source);
      };
    }
    return TraceFiles.read(Path.of(source));
  }

  private static Trace drift(int keys, double s, int accesses) {
    Trace zipf = Trace.zipf(keys, s, accesses, SEED);
    int[] ids = new int[accesses];
    for (int i = 0; i < accesses; i++) {
      int phase = (int) (10L * i / accesses);
      ids[i] = (int) ((zipf.keyAt(i) + (long) phase * (keys / 10)) % keys);
    }
    return Trace.of("drifting " + zipf.name(), ids);
  }
}
