/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.node.Distribution;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.testkit.TestRun;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * New keys at full rate from a process with a small heap: what waits to be collected takes a part
 * of the heap, and what has no room there is counted. Until something has none, unless {@code
 * kasane.ramp.memoryMinutes} says for how long, with 256 MiB.
 */
@Tag("node")
@Tag("campaign")
@ExtendWith(UsesNode.class)
class MemoryIT {
  private static final int MINUTES = TestRun.size("kasane.ramp.memoryMinutes", 0, 5);
  private static final long SECONDS = MINUTES == 0 ? 60 : MINUTES * 60L;
  private static final int HEAP_MIB = MINUTES == 0 ? 48 : 256;
  private static final Pattern LINE =
      Pattern.compile("second=(\\d+) acknowledged=(\\d+) .*heapMiB=(\\d+) .*dropped=(\\d+)");

  private record Sample(long second, long acknowledged, long heapMib, long dropped) {}

  @Test
  void aSmallHeapIsEnough(LocalNode node) throws Exception {
    List<String> command =
        List.of(
            Distribution.javaLauncher().toString(),
            "-Xmx" + HEAP_MIB + "m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=" + (MINUTES == 0 ? 1 : 4),
            "-XX:+ExitOnOutOfMemoryError",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            System.getProperty("java.class.path"),
            FullRate.class.getName(),
            node.settings().address(),
            Integer.toString(node.settings().nativePort()),
            "datacenter1",
            "uses",
            Long.toString(SECONDS),
            Boolean.toString(MINUTES == 0));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<Sample> samples = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = out.readLine();
      while (line != null) {
        Matcher found = LINE.matcher(line);
        if (found.find()) {
          Sample sample = sample(found);
          samples.add(sample);
          if (sample.second % 60 == 0 || sample.second == SECONDS) {
            System.out.println("MemoryIT: " + line);
          }
        } else {
          lines.add(line);
        }
        line = out.readLine();
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor()).as("%s after %s", lines, samples).isZero();
    Sample last = samples.get(samples.size() - 1);
    assertThat(last.acknowledged).isPositive();
    if (MINUTES == 0) {
      assertThat(last.dropped).as("%s", samples).isPositive();
    } else {
      assertThat(samples).hasSize((int) SECONDS);
    }
    if (MINUTES >= 5) {
      requireFlat(samples);
    }
  }

  private static Sample sample(Matcher found) {
    return new Sample(
        Long.parseLong(found.group(1)),
        Long.parseLong(found.group(2)),
        Long.parseLong(found.group(3)),
        Long.parseLong(found.group(4)));
  }

  /** The most of the last third beside the most of the second. */
  private static void requireFlat(List<Sample> samples) {
    int third = samples.size() / 3;
    long middle = most(samples.subList(third, samples.size() - third));
    long last = most(samples.subList(samples.size() - third, samples.size()));
    System.out.printf("MemoryIT: heap %d MiB, then %d MiB%n", middle, last);
    assertThat(last).isLessThanOrEqualTo(Math.round(middle * 1.1));
  }

  private static long most(List<Sample> samples) {
    return samples.stream().mapToLong(Sample::heapMib).max().orElseThrow();
  }
}
