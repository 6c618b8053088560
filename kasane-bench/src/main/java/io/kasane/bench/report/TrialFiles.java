/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.lab.Sample;
import io.kasane.bench.lab.TrialResult;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** The raw numbers of a trial: a line per second, and the latencies of each second. */
final class TrialFiles {
  private TrialFiles() {}

  static void write(Path directory, String name, TrialResult result) throws IOException {
    Files.createDirectories(directory);
    csv(directory.resolve(name + ".csv"), result);
    histograms(directory.resolve(name + ".hlog"), result);
  }

  private static void csv(Path file, TrialResult result) throws IOException {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      out.println(
          "second,operations_per_second,reads,updates,read_p50_micros,read_p99_micros,"
              + "fast_read_share,slow_client_reads,slow_busy,fast_busy,slow_written_bytes,"
              + "fast_written_bytes,node_cores,sstables_per_read,sstables_per_hot_key,memory_share,"
              + "first_reads");
      for (Sample sample : result.samples()) {
        Histogram reads = sample.load().reads();
        out.printf(
            Locale.ROOT,
            "%.3f,%.1f,%d,%d,%d,%d,%.4f,%.0f,%.3f,%.3f,%.0f,%.0f,%.3f,%.3f,%.3f,%.4f,%d%n",
            sample.load().atSeconds(),
            sample.load().operationsPerSecond(),
            reads.getTotalCount(),
            sample.load().updates().getTotalCount(),
            reads.getValueAtPercentile(50),
            reads.getValueAtPercentile(99),
            sample.fastReadShare(),
            sample.disk(DiskRole.SLOW).clientReads(),
            sample.busy(DiskRole.SLOW),
            sample.busy(DiskRole.FAST),
            sample.disk(DiskRole.SLOW).writtenBytes(),
            sample.disk(DiskRole.FAST).writtenBytes(),
            sample.nodeCores(),
            sample.sstablesPerRead(),
            sample.sstablesPerHotKey(),
            sample.nodes().memoryShare(),
            sample.load().firstReads());
      }
    }
  }

  private static void histograms(Path file, TrialResult result) throws IOException {
    try (PrintStream out = new PrintStream(Files.newOutputStream(file), false, "UTF-8")) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputComment("latencies in microseconds");
      writer.outputLogFormatVersion();
      writer.outputLegend();
      for (Sample sample : result.samples()) {
        double end = sample.load().atSeconds();
        double begin = end - sample.load().seconds();
        interval(writer, begin, end, sample.load().reads(), "reads");
        interval(writer, begin, end, sample.load().updates(), "updates");
      }
    }
  }

  private static void interval(
      HistogramLogWriter writer, double begin, double end, Histogram histogram, String tag) {
    Histogram tagged = histogram.copy();
    tagged.setTag(tag);
    writer.outputIntervalHistogram(begin, end, tagged, 1);
  }
}
