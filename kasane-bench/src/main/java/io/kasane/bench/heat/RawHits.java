/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.heat.sim.Hits;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The raw numbers: a line per result, and the hit share over time of each source and budget. */
final class RawHits {
  private final Path directory;

  /** Writes to a folder that is made when it is needed. */
  RawHits(Path directory) {
    this.directory = directory;
  }

  /** Writes all results so far to {@code results.csv}. */
  void results(List<HeatResult> results) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "source,accesses,keys,policy,budget_share,budget_keys,hot_keys_share,hit_share,"
            + "online_share,clairvoyant_share,tracked_keys,capacity_keys,bytes_per_key,"
            + "accesses_to_adapt,online_accesses_to_adapt");
    for (HeatResult result : results) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s,%d,%d,%s,%.2f,%d,%.6f,%.6f,%.6f,%.6f,%d,%d,%.2f,%s,%s",
              result.source(),
              result.accesses(),
              result.keys(),
              result.policy(),
              result.budgetShare(),
              result.budgetKeys(),
              result.hotKeysShare(),
              result.hitShare(),
              result.onlineShare(),
              result.clairvoyantShare(),
              result.trackedKeys(),
              result.capacityKeys(),
              result.bytesPerKey(),
              orNothing(result.accessesToAdapt()),
              orNothing(result.onlineAccessesToAdapt())));
    }
    write("results.csv", lines);
  }

  private static String orNothing(Integer number) {
    return number == null ? "" : number.toString();
  }

  /** Writes the hit share of each policy and oracle between two choices, a line for each. */
  void overTime(HeatCell cell, Map<String, Hits> hits) {
    List<String> lines = new ArrayList<>();
    lines.add("accesses," + String.join(",", hits.keySet()));
    int step = cell.chooseEvery();
    for (int end = step; end <= cell.trace().length(); end += step) {
      StringBuilder line = new StringBuilder().append(end);
      for (Hits one : hits.values()) {
        line.append(String.format(Locale.ROOT, ",%.4f", one.share(end - step, end)));
      }
      lines.add(line.toString());
    }
    write(
        String.format(
            Locale.ROOT, "%s-%.0fpercent.csv", cell.source().name(), cell.budgetShare() * 100),
        lines);
  }

  private void write(String file, List<String> lines) {
    try {
      Files.createDirectories(directory);
      Files.write(directory.resolve(file), lines);
    } catch (IOException e) {
      throw new NodeException("cannot write to " + directory + ": " + e, e);
    }
  }
}
