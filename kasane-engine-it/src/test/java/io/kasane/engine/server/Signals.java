/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Signals to servers under test. */
public final class Signals {
  private Signals() {}

  /**
   * Sends a signal by {@code kill}. After {@code STOP} all threads stand still: until then one may
   * answer.
   */
  public static void send(String signal, long pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, String.valueOf(pid)).inheritIO().start().waitFor();
    if (signal.equals("STOP")) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .ignoreExceptionsInstanceOf(NoSuchFileException.class) // of a thread that has ended
          .until(() -> isStopped(pid));
    }
  }

  /** The same to the process whose number is in a file. */
  public static void send(String signal, Path pidFile) throws IOException, InterruptedException {
    send(signal, Long.parseLong(Files.readString(pidFile).strip()));
  }

  private static boolean isStopped(long pid) throws IOException {
    List<Path> threads;
    try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
      threads = all.toList();
    }
    for (Path thread : threads) {
      String stat = Files.readString(thread.resolve("stat"));
      if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
        return false;
      }
    }
    return true;
  }
}
