/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.login.LoginOptions;
import io.kasane.cli.login.TableArgument;
import io.kasane.cli.output.JsonOption;
import io.kasane.cli.output.TextTable;
import io.kasane.node.ByteSize;
import io.kasane.node.NodeException;
import io.kasane.node.views.AccessShare;
import io.kasane.node.views.HotKey;
import io.kasane.node.views.KasaneViews;
import io.kasane.node.views.Sizing;
import io.kasane.node.views.TableView;
import io.kasane.node.views.TierView;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kasane heat}: what is hot in a table, and where it lies. */
@Command(
    name = "heat",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows a table as one node sees it: bytes per tier, the share of reads the fast disk serves,"
          + " the hottest keys, and how accesses spread over the keys.",
      "Everything shown can be queried over CQL in the virtual keyspace kasane_views."
    })
public final class HeatCommand implements Callable<Integer> {
  private static final int BAR_WIDTH = 40;
  private static final int KEY_WIDTH = 32;

  @Spec private CommandSpec spec;

  @Mixin private TableArgument argument;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many of the hottest keys to show (default: ${DEFAULT-VALUE}).")
  private int top;

  @Option(
      names = "--curve",
      description = {
        "Shows instead which share of the reads the fast disk would serve, by its size.",
        "Judged by the heat of now: rows ranked by older accesses, counted by newer ones."
      })
  private boolean curve;

  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = {
        "Draws into this file where rows lie by their heat, and the reads since the node started;",
        "with --curve, the curve."
      })
  private Path png;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "How long to watch reads for the share 'now' (default: ${DEFAULT-VALUE}).")
  private int interval;

  @Mixin private JsonOption json;
  @Mixin private LoginOptions login;

  @Override
  public Integer call() throws InterruptedException {
    argument.check();
    if (top < 1) {
      throw new ParameterException(spec.commandLine(), "--top: " + top + " is not at least 1");
    }
    if (interval < 0 || interval > 3600) {
      throw new ParameterException(
          spec.commandLine(), "--interval: " + interval + " is outside 0..3600 seconds");
    }
    try (CqlSession session = login.openNode()) {
      KasaneViews views =
          new KasaneViews(
              session, login.address(), login.port(), argument.keyspace(), argument.table());
      TableView before = views.requireTable();
      Thread.sleep(interval * 1000L);
      TableView now =
          views
              .table()
              .orElseThrow(
                  () -> new NodeException(argument.name() + " was dropped while it was watched."));
      if (json.isWanted()) {
        JsonOption.print(spec.commandLine().getOut(), report(views, before, now));
      } else if (curve) {
        printCurve(spec.commandLine().getOut(), views.sizing(), now.fastShareSince(before));
      } else {
        print(spec.commandLine().getOut(), views, before, now);
        draw(views);
      }
    }
    return 0;
  }

  private Map<String, Object> report(KasaneViews views, TableView before, TableView now) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("table", argument.name());
    report.put("host", login.address());
    report.put("port", login.port());
    report.put("seconds", interval);
    report.put("fast_read_share_now", now.fastShareSince(before));
    report.put("fast_read_share", now.fastShare());
    report.put("tables", now);
    if (curve) {
      report.put("sizing", views.sizing());
    } else {
      report.put("tiers", views.tiers());
      report.put("hottest_keys", views.hottest(top));
      report.put("access_distribution", views.distribution());
    }
    return report;
  }

  private void print(PrintWriter out, KasaneViews views, TableView before, TableView now) {
    out.printf(
        "%s on %s:%d, policy %s, placement %s%n%n",
        argument.name(), login.address(), login.port(), now.policy(), now.placement());
    TextTable tiers = new TextTable("TIER", "SSTABLES", "PARTITIONS", "BYTES", "SSTABLE READS");
    for (TierView tier : views.tiers()) {
      tiers.row(
          tier.tier(),
          Integer.toString(tier.sstables()),
          Long.toString(tier.partitions()),
          human(tier.bytes()),
          Long.toString(tier.sstableReads()));
    }
    out.print(tiers);
    out.printf(
        "%nFast disk     %s of %s used%n", human(now.fastBytes()), human(now.fastQuotaBytes()));
    out.printf(
        "Hot           %d keys, %s, %s of all accesses (%d keys tracked)%n",
        now.hotKeys(),
        human(now.hotBytes()),
        TextTable.percent(now.hotAccessShare()),
        now.trackedKeys());
    out.printf("Moved         %d rows to fast, %d back%n", now.promotedRows(), now.demotedRows());
    out.printf(
        "Reads         %d from memory, %d from fast, %d from slow%n",
        now.readsMemory(), now.readsFast(), now.readsSlow());
    out.printf(
        "Fast share    %s over the last %d s, %s since the node started"
            + " (of the reads that touched a disk)%n",
        TextTable.percent(now.fastShareSince(before)),
        interval,
        TextTable.percent(now.fastShare()));
    printHottest(out, views.hottest(top));
    printDistribution(out, views.distribution());
    out.flush();
  }

  private void printCurve(PrintWriter out, List<Sizing> sizes, double servedNow) {
    if (sizes.stream().allMatch(size -> size.readShare() == 0)) {
      out.printf("No key has any heat yet: nothing was read or written since the start.%n");
      out.flush();
      return;
    }
    out.printf("What a fast disk would serve of the reads of %s, by its size%n%n", argument.name());
    TextTable table = new TextTable("QUOTA", "HOT ROWS", "READS", "", "");
    for (Sizing size : sizes) {
      table.row(
          human(size.fastQuotaBytes()),
          Long.toString(size.hotRows()),
          TextTable.percent(size.readShare()),
          bar(size.readShare()),
          size.remark());
    }
    out.print(table);
    out.printf(
        "%nReads that memory serves count, too. Of those that touched a disk in the last %d s, fast"
            + " served %s.%n",
        interval, TextTable.percent(servedNow));
    if (png != null) {
      SizingPicture.write(png, argument.name(), sizes);
      out.printf("Drawn into %s%n", png);
    }
    out.flush();
  }

  private void draw(KasaneViews views) {
    if (png != null) {
      HeatPicture.write(png, argument.name(), views.heatMap(), views.history());
      spec.commandLine().getOut().printf("%nDrawn into %s%n", png);
      spec.commandLine().getOut().flush();
    }
  }

  private static void printHottest(PrintWriter out, List<HotKey> keys) {
    if (keys.isEmpty()) {
      out.printf("%nNo key has any heat yet: nothing was read or written since the start.%n");
      return;
    }
    out.printf("%nHottest keys%n");
    double most = keys.stream().mapToDouble(HotKey::accessShare).max().orElse(1);
    TextTable table = new TextTable("RANK", "KEY", "SHARE", "TIER", "SIZE", "");
    for (HotKey key : keys) {
      table.row(
          Integer.toString(key.rank()),
          shorten(key.key()),
          TextTable.percent(key.accessShare()),
          String.valueOf(key.tier()),
          human(key.sizeBytes()),
          bar(key.accessShare() / most));
    }
    out.print(table);
  }

  private static void printDistribution(PrintWriter out, List<AccessShare> distribution) {
    if (distribution.isEmpty()) {
      return;
    }
    out.printf("%nAccesses by share of keys%n");
    TextTable table = new TextTable();
    for (AccessShare point : distribution) {
      table.row(
          "hottest",
          String.format(Locale.ROOT, "%.1f%%", point.topPercent()),
          TextTable.percent(point.share()),
          bar(point.share()));
    }
    out.print(table);
  }

  private static String shorten(String key) {
    String text = String.valueOf(key);
    return text.length() <= KEY_WIDTH ? text : text.substring(0, KEY_WIDTH - 3) + "...";
  }

  static String bar(double share) {
    double bounded = Double.isNaN(share) ? 0 : Math.max(0, Math.min(1, share));
    return "#".repeat((int) Math.round(bounded * BAR_WIDTH));
  }

  private static String human(long bytes) {
    return new ByteSize(Math.max(0, bytes)).human();
  }
}
