/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import io.kasane.node.Distribution;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link LoadClient} in a process of its own. */
final class LoadProcess {
  private final LoadSettings settings;
  private final Process process;
  private final Thread reader;
  private final Path output;
  private volatile Tally tally = new Tally();

  private LoadProcess(LoadSettings settings, Process process) {
    this.settings = settings;
    this.process = process;
    this.output = settings.log().resolveSibling(settings.log().getFileName() + ".out");
    this.reader = new Thread(this::read, "output of process " + settings.process());
    reader.setDaemon(true);
    reader.start();
  }

  static LoadProcess start(LoadSettings settings) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Distribution.javaLauncher().toString());
    if (Campaign.WANTED == 0) {
      command.add("-XX:TieredStopAtLevel=1");
      command.add("-XX:+UseSerialGC");
    }
    command.addAll(LoadArenas.jvmOptions());
    command.addAll(
        List.of(
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            System.getProperty("java.class.path"),
            LoadClient.class.getName()));
    command.addAll(settings.arguments());
    return new LoadProcess(settings, new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** What this process does. */
  LoadSettings settings() {
    return settings;
  }

  /** What it told last. */
  Tally tally() {
    return tally;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it ended as {@link HaltingStore} ends it. */
  boolean halted() {
    return !process.isAlive() && process.exitValue() == HaltingStore.HALTED;
  }

  /** Lets it end in order; what it ended with otherwise is thrown. */
  void stop() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IllegalStateException(this + " hangs; see " + output);
    }
    reader.join();
    requireNotBroken();
  }

  /** Fails if it ended by itself other than it was meant to. */
  void requireNotBroken() {
    if (!process.isAlive()
        && process.exitValue() != 0
        && process.exitValue() != HaltingStore.HALTED) {
      throw new IllegalStateException(
          this + " ended with " + process.exitValue() + "; see " + output);
    }
  }

  void kill() {
    process.destroyForcibly();
  }

  private void read() {
    try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var out =
            Files.newBufferedWriter(
                output, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
      String line = lines.readLine();
      while (line != null) {
        if (Tally.isLine(line)) {
          tally = Tally.parse(line);
        } else {
          out.write(line);
          out.newLine();
          out.flush();
        }
        line = lines.readLine();
      }
    } catch (IOException e) {
      // A process that is killed may leave a torn line.
      return;
    }
  }

  @Override
  public String toString() {
    return "client process " + settings.process();
  }
}
