/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results for people: tables of Markdown, one line per source and budget. */
final class HeatTables {
  private static final String HITS =
      """
      ## Hit share

      Share of the accesses that fell on keys that were hot at that time, in %, when so many of the keys could be hot at most. online: the
      keys of highest exact, unaged counts so far, chosen at the same moments. clairvoyant: the best set of each phase (drift has ten,
      shift two, all others one), known beforehand. In brackets: % of online.

      """;

  private static final String SIZES =
      """

      ## Size of the hot sets

      Keys that were hot, mean of all choices, in % of all keys. Only budget takes a number of keys; share gets the k that the sets of
      budget had of all heat, window (at least one access in a period) a period that lasts until as many keys as the budget have been
      accessed.

      """;

  private static final String MEMORY =
      """

      ## Memory

      Keys tracked at the end x bytes of heap per tracked key, by the tracker's own account.

      """;

  private static final String ADAPTATION =
      """

      ## Adaptation

      Thousands of accesses, after other keys became hot all at once, until the hit share of as many accesses as lie between two choices
      is back at 90 % of what it was before. never: not until the end. share takes more keys for hot while heat lies on old and new ones.

      """;

  private HeatTables() {}

  static String of(List<HeatResult> results) {
    Map<String, List<HeatResult>> cells =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    HeatTables::cell, LinkedHashMap::new, Collectors.toCollection(ArrayList::new)));
    StringBuilder page = new StringBuilder(HITS);
    List<String> oracles = List.of(HeatExperiment.CLAIRVOYANT, HeatExperiment.ONLINE);
    table(page, cells, oracles, HeatTables::oracleShares, HeatTables::hits);
    page.append(SIZES);
    table(page, cells, List.of(), any -> List.of(), result -> percent(result.hotKeysShare()));
    page.append(MEMORY);
    table(page, cells, List.of(), any -> List.of(), HeatTables::memory);
    cells.values().removeIf(cell -> cell.stream().noneMatch(HeatResult::shifts));
    if (!cells.isEmpty()) {
      page.append(ADAPTATION);
      table(
          page,
          cells,
          List.of(HeatExperiment.ONLINE),
          any -> List.of(thousands(any.onlineAccessesToAdapt())),
          result -> thousands(result.accessesToAdapt()));
    }
    return page.toString();
  }

  private static String cell(HeatResult result) {
    return String.format(
        Locale.ROOT, "| %s | %.0f %% |", result.source(), result.budgetShare() * 100);
  }

  /** One line per cell: its name, what is the same for all policies, then a column per policy. */
  private static void table(
      StringBuilder page,
      Map<String, List<HeatResult>> cells,
      List<String> common,
      Function<HeatResult, List<String>> commonValues,
      Function<HeatResult, String> value) {
    Stream<String> policies = Stream.of(TrackedPolicy.values()).map(TrackedPolicy::label);
    List<String> columns = Stream.concat(common.stream(), policies).toList();
    page.append("| source | hot at most | ")
        .append(String.join(" | ", columns))
        .append(" |\n|-|-|");
    page.append("-|".repeat(columns.size())).append('\n');
    cells.forEach(
        (name, results) -> {
          Stream<String> values = results.stream().map(value);
          Stream<String> all = Stream.concat(commonValues.apply(results.get(0)).stream(), values);
          page.append(name).append(' ').append(all.collect(Collectors.joining(" | ")));
          page.append(" |\n");
        });
  }

  private static List<String> oracleShares(HeatResult any) {
    return List.of(percent(any.clairvoyantShare()), percent(any.onlineShare()));
  }

  private static String hits(HeatResult result) {
    String ratio = result.ratio() == null ? "-" : percent(result.ratio());
    return percent(result.hitShare()) + " (" + ratio + ")";
  }

  private static String memory(HeatResult result) {
    return String.format(Locale.ROOT, "%,d x %.0f", result.trackedKeys(), result.bytesPerKey());
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f", share * 100);
  }

  private static String thousands(Integer accesses) {
    return accesses == null ? "never" : String.format(Locale.ROOT, "%,d", accesses / 1000);
  }
}
