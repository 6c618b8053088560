/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.lab.Sample;
import io.kasane.bench.lab.TrialResult;
import io.kasane.bench.load.Latencies;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The raw numbers of a trial, a line per second. */
final class TrialCsv {
  private TrialCsv() {}

  static void write(Path file, TrialResult result) throws IOException {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      out.println(
          "second,operations_per_second,reads,updates,read_p50_micros,read_p99_micros,"
              + "fast_read_share,slow_client_reads,slow_busy,fast_busy,slow_written_bytes,"
              + "fast_written_bytes,node_cores,sstables_per_read,sstables_per_hot_key,memory_share,"
              + "first_reads,slow_read_share,slow_look_ups,resident_bytes,heap_used_bytes,"
              + "heat_memory_bytes,left_out_memory_bytes,gc_millis");
      for (Sample sample : result.samples()) {
        Latencies reads = sample.load().reads();
        out.printf(
            Locale.ROOT,
            "%.3f,%.1f,%d,%d,%d,%d,%.4f,%.0f,%.3f,%.3f,%.0f,%.0f,%.3f,%.3f,%.3f,%.4f,%d,%.4f,%d,"
                + "%.0f,%d,%d,%d,%d%n",
            sample.load().atSeconds(),
            sample.load().operationsPerSecond(),
            reads.count(),
            sample.load().updates().count(),
            reads.p50Micros(),
            reads.p99Micros(),
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
            sample.load().firstReads(),
            sample.slowReadShare(),
            sample.nodes().slowLookUps(),
            sample.memory().residentBytes(),
            sample.memory().heapUsedBytes(),
            sample.memory().heatBytes(),
            sample.memory().leftOutBytes(),
            sample.nodes().gcMillis());
      }
    }
  }
}
