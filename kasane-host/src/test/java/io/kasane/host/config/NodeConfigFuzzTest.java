/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.host.refuse.HostException;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Whatever kasane.yaml holds: it is read, or refused in words, soon. The seed is in a failure. */
class NodeConfigFuzzTest {
  private static final long MAX_CPU_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final List<String> NAMES =
      List.of(
          "fast_directories",
          "fast_quota",
          "heat_directory",
          "heat_memory",
          "key_lists_directory",
          "show_keys");

  private static final List<String> SCALARS =
      List.of(
          "0",
          "-1",
          "1",
          "5MiB",
          "512KiB",
          "-7GiB",
          "8388607TiB",
          "8388608TiB",
          "9223372036854775807B",
          "99999999999999999999999GiB",
          "9".repeat(20_000),
          "1" + ":59".repeat(4_000),
          "0x" + "f".repeat(5_000),
          "1e999999999",
          ".nan",
          "-.inf",
          "2001-12-14t21:59:43.10-05:00",
          "true",
          "No",
          "~",
          "null",
          "/dev/zero",
          "/etc/passwd",
          "/a/../../../etc",
          "relative",
          "\"/nul\\0l\"",
          "\"/line\\nERROR forged\"",
          "\"\\ud800/\"",
          "/日本/ÿ\u202e",
          "\u0007",
          "/" + "a".repeat(9_000),
          "!!int x",
          "!!int '1_'",
          "!!float y",
          "!!timestamp z",
          "!!binary '***'",
          "!!binary aGk=",
          "!!set {a, b}",
          "!!omap [a: 1]",
          "!!javax.script.ScriptEngineManager []",
          "!!java.net.URL ['http://127.0.0.1']",
          "!unknown x",
          "'unclosed",
          "[unclosed",
          "{unclosed: ",
          "|\n  block\n  text",
          ">-\n  folded",
          "%",
          "@",
          "`",
          "\t");

  @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
  void readsOrRefuses(@ForAll long seed) {
    String text = new Hostile(new Random(seed)).document();
    String message = "";
    long began = cpuNanos();
    try {
      NodeConfig config =
          NodeConfig.parse(
              new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "kasane.yaml");
      assertThat(config.fastDirectories()).allMatch(path -> path.isAbsolute());
      assertThat(config.heatMemoryBytes().orElse(1 << 20)).isGreaterThanOrEqualTo(1 << 20);
      assertThat(config.fastQuotaBytes().orElse(0)).isGreaterThanOrEqualTo(0);
    } catch (HostException e) {
      message = e.getMessage();
      assertThat(message).startsWith("kasane.yaml");
      assertThat(message)
          .containsPattern("is .* but must be|unknown setting|not valid YAML|more than");
      assertThat(message).containsPattern("; (correct|write)|: correct|; remove");
      assertThat(message.length()).isLessThan(700);
      assertThat(message.chars()).noneMatch(Character::isISOControl);
    }
    assertThat(cpuNanos() - began).as("time, %s", message).isLessThan(MAX_CPU_NANOS);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private record Hostile(Random random) {
    String document() {
      return switch (random.nextInt(12)) {
        case 0 -> value(0);
        case 1 -> "a: &a [x, x]\n" + laughs();
        case 2 -> "fast_directories: &d [*d]\n";
        case 3 -> "[".repeat(random.nextInt(60_000));
        case 4 -> "fast_quota: ".repeat(random.nextInt(5_000));
        case 5 -> "# " + "x".repeat(random.nextInt(200_000));
        case 6 -> noise();
        default -> settings();
      };
    }

    private String settings() {
      StringBuilder text = new StringBuilder();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        String name = random.nextInt(10) == 0 ? value(0) : pick(NAMES);
        text.append(name).append(": ").append(value(0)).append('\n');
      }
      return text.toString();
    }

    private String laughs() {
      StringBuilder text = new StringBuilder();
      for (char c = 'b'; c <= 'm'; c++) {
        String before = "*" + (char) (c - 1);
        text.append(c).append(": &").append(c).append(" [");
        text.append(String.join(", ", List.of(before, before, before, before))).append("]\n");
      }
      return text.append("fast_directories: *m\n").toString();
    }

    private String value(int depth) {
      return switch (depth > 3 ? 9 : random.nextInt(10)) {
        case 0 -> "[" + value(depth + 1) + ", " + value(depth + 1) + "]";
        case 1 -> "{" + value(depth + 1) + ": " + value(depth + 1) + "}";
        default -> pick(SCALARS);
      };
    }

    private String noise() {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(300); i > 0; i--) {
        text.append((char) random.nextInt(random.nextBoolean() ? 128 : 65_536));
      }
      return text.toString();
    }

    private String pick(List<String> from) {
      return from.get(random.nextInt(from.size()));
    }
  }
}
