/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.cli.Kasane;
import io.kasane.node.Distribution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An experiment that is told to end takes its nodes and their files with it. */
@Tag("node")
@Tag("long")
class InterruptedExperimentIT {
  @TempDir private Path dir;

  @Test
  void shouldLeaveNeitherNodesNorFiles() throws Exception {
    Path work = dir.resolve("work");
    Process experiment = start("--work", work.toString(), "--out", dir.resolve("out").toString());
    try {
      Awaitility.await("a node with data")
          .atMost(Duration.ofMinutes(2))
          .until(() -> experiment.children().findAny().isPresent() && hasSSTables(work));
      List<ProcessHandle> nodes = experiment.children().toList();

      experiment.destroy(); // as Ctrl-C does, it asks

      assertThat(experiment.waitFor(1, TimeUnit.MINUTES)).as("ended").isTrue();
      assertThat(nodes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
      assertThat(work).isEmptyDirectory();
    } finally {
      experiment.children().forEach(ProcessHandle::destroyForcibly);
      experiment.destroyForcibly();
    }
  }

  private Process start(String... directories) throws IOException {
    Stream<String> java =
        Stream.of(
            Distribution.javaLauncher().toString(),
            "-Xmx256m",
            "-Dkasane.home=" + System.getProperty("kasane.home"),
            "-cp",
            System.getProperty("java.class.path"),
            Kasane.class.getName());
    Stream<String> command = Stream.of("bench", "tier", "--only", "stock", "--seconds", "60");
    return new ProcessBuilder(
            Stream.of(java, command, Stream.of(directories)).flatMap(part -> part).toList())
        .redirectErrorStream(true)
        .redirectOutput(dir.resolve("experiment.log").toFile())
        .start();
  }

  private static boolean hasSSTables(Path work) {
    if (!Files.exists(work)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(work)) {
      return files.anyMatch(file -> file.toString().endsWith("-Data.db"));
    } catch (IOException | UncheckedIOException e) {
      return false; // it changes meanwhile
    }
  }
}
