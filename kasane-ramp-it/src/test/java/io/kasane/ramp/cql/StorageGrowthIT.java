/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeJmx;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same keys overwritten and deleted for as many minutes as {@code kasane.ramp.storageMinutes}
 * says, each about once a window: neither disk nor heap nor the number of rows grows.
 */
@Tag("node")
@Tag("campaign")
@EnabledIf("isWanted")
class StorageGrowthIT {
  private static final int MINUTES = TestRun.size("kasane.ramp.storageMinutes", 0, 5);
  private static final Duration WINDOW = Duration.ofSeconds(5);
  private static final int KEYS = 2_000;
  private static final int KEYS_OF_A_PUT = 10;
  private static final int DELETED_PERCENT = 10;
  private static final double MAX_GROWTH = 1.1;
  private static final RampOptions OPTIONS =
      RampOptions.defaults()
          .withDeadline(Duration.ofMillis(2_400))
          .withGcWindow(WINDOW)
          .withGcGrace(WINDOW.multipliedBy(2))
          .withMaxClockDrift(Duration.ofMillis(100));

  @TempDir private Path dir;

  static boolean isWanted() {
    return MINUTES > 0;
  }

  /** What a minute ended with. */
  private record Sample(double rowsPerKey, long diskBytes, long heapBytes, long collected) {}

  @Test
  void nothingGrowsWhileKeysAreOverwrittenAndDeleted() throws Exception {
    long seed = TestRun.seed();
    System.out.println("StorageGrowthIT: seed " + seed);
    List<Sample> samples = new ArrayList<>();
    try (LocalCluster cluster = RampNodes.of(1, dir, settings -> {}).start();
        CqlSession cql = RampNodes.connect(cluster.node(1))) {
      cql.execute(
          "CREATE KEYSPACE storage WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
      try (RampSession session = RampSession.builder(cql, "storage").options(OPTIONS).build()) {
        RampTable<Long, Long> table = session.table("growing", Codecs.int64(), Codecs.int64());
        ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
        Random random = new Random(seed);
        ScheduledFuture<?> writing =
            writer.scheduleAtFixedRate(
                () -> write(session, table, random),
                0,
                WINDOW.toMillis() * KEYS_OF_A_PUT / KEYS,
                TimeUnit.MILLISECONDS);
        try {
          for (int minute = 1; minute <= MINUTES; minute++) {
            for (int second = 0; second < 60; second++) {
              TimeUnit.SECONDS.sleep(1);
              assertThat(writing.isDone()).as("a put failed").isFalse();
            }
            samples.add(sample(cluster, cql, session));
            System.out.printf("StorageGrowthIT: minute %d: %s%n", minute, samples.get(minute - 1));
          }
        } finally {
          writer.shutdown();
          writer.awaitTermination(1, TimeUnit.MINUTES);
        }
      }
    }
    requireNoGrowth("rows a key", samples, Sample::rowsPerKey);
    requireNoGrowth("bytes on disk", samples, Sample::diskBytes);
    requireNoGrowth("bytes of heap", samples, Sample::heapBytes);
  }

  private static void write(RampSession session, RampTable<Long, Long> table, Random random) {
    if (random.nextInt(100) < DELETED_PERCENT) {
      session.delete(table, List.copyOf(draw(random).keySet()));
    } else {
      session.put(table, draw(random));
    }
  }

  private static Map<Long, Long> draw(Random random) {
    Map<Long, Long> values = new HashMap<>();
    for (int each = 0; each < KEYS_OF_A_PUT; each++) {
      values.put((long) random.nextInt(KEYS), random.nextLong());
    }
    return values;
  }

  private static Sample sample(LocalCluster cluster, CqlSession cql, RampSession session)
      throws IOException {
    long rows = cql.execute("SELECT kind FROM storage.growing").all().size();
    long bytes;
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      jmx.flush("storage", "growing");
      bytes =
          (Long)
              jmx.attribute(
                  "org.apache.cassandra.metrics:type=Table,keyspace=storage,scope=growing,name="
                      + "LiveDiskSpaceUsed",
                  "Count");
    }
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return new Sample(
        (double) rows / KEYS,
        bytes,
        runtime.totalMemory() - runtime.freeMemory(),
        session.metrics().collected());
  }

  /** The most of the last third beside the most of the second: the first fills what is empty. */
  private static void requireNoGrowth(
      String what, List<Sample> samples, ToDoubleFunction<Sample> value) {
    int third = samples.size() / 3;
    double middle = most(samples.subList(third, samples.size() - third), value);
    double last = most(samples.subList(samples.size() - third, samples.size()), value);
    System.out.printf("StorageGrowthIT: %s: %.2f, then %.2f%n", what, middle, last);
    assertThat(last).as(what + " in " + samples).isLessThanOrEqualTo(middle * MAX_GROWTH);
  }

  private static double most(List<Sample> samples, ToDoubleFunction<Sample> value) {
    return samples.stream().mapToDouble(value).max().orElseThrow();
  }
}
