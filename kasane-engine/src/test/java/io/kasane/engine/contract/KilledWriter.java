/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A process that writes {@link Rounds} until it is killed, and a line for each that was synced. */
final class KilledWriter {
  private static final long MAX_MILLIS = 400;

  private KilledWriter() {}

  /** Arguments: provider's class, directory, durability, first round. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    EngineProvider provider =
        Class.forName(arguments[0])
            .asSubclass(EngineProvider.class)
            .getDeclaredConstructor()
            .newInstance();
    Engine engine =
        provider.open(
            options(Path.of(arguments[1]), EngineOptions.Durability.valueOf(arguments[2])));
    for (int round = Integer.parseInt(arguments[3]); ; round++) {
      Rounds.apply(engine, round);
      engine.sync();
      System.out.println(round);
      System.out.flush();
    }
  }

  static EngineOptions options(Path directory, EngineOptions.Durability durability) {
    return new EngineOptions(directory, 256L << 20, 32L << 20, durability);
  }

  static Path temporary(EngineOptions options) {
    return options.directory().resolveSibling("tmp");
  }

  /**
   * Lets a process write from a round on, and kills it. It has written one at least. Its temporary
   * files would go to {@link #temporary}.
   *
   * @return the last round that it said to be synced
   */
  static int writeAndKill(
      EngineProvider provider, EngineOptions options, int firstRound, Random random)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + Files.createDirectories(temporary(options)),
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                provider.getClass().getName(),
                options.directory().toString(),
                options.durability().name(),
                String.valueOf(firstRound))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).as("the first round").isEqualTo(String.valueOf(firstRound));
      Thread.sleep(random.nextLong(MAX_MILLIS)); // how long it runs is drawn
      process.toHandle().destroyForcibly(); // what it said before can still be read
      int last = firstRound;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line.isEmpty() ? last : Math.max(last, Integer.parseInt(line));
      }
      process.waitFor();
      return last;
    } finally {
      process.destroyForcibly();
    }
  }
}
