/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import io.kasane.node.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Java and the limits of this user's processes, which a node inherits. */
final class MachineChecks {
  private static final int JAVA = 17;
  private static final long FILES_WANTED = 100_000;
  private static final long FILES_NEEDED = 4096;

  private final int javaVersion;
  private final List<String> limits;

  /** Takes the running Java's feature version and the lines of {@code /proc/self/limits}. */
  MachineChecks(int javaVersion, List<String> limits) {
    this.javaVersion = javaVersion;
    this.limits = limits;
  }

  static MachineChecks here() {
    return new MachineChecks(Runtime.version().feature(), readLimits());
  }

  private static List<String> readLimits() {
    try {
      return Files.readAllLines(Path.of("/proc/self/limits"));
    } catch (IOException e) {
      return List.of();
    }
  }

  List<Finding> run() {
    return List.of(java(), openFiles(), memlock());
  }

  private Finding java() {
    return javaVersion == JAVA
        ? Finding.ok("Java", javaVersion + " (" + System.getProperty("java.vendor") + ")")
        : Finding.fail(
            "Java",
            javaVersion
                + " runs this; Cassandra 5.0 with Kasane runs on "
                + JAVA
                + ". Install it, or set JAVA_HOME");
  }

  private Finding openFiles() {
    Optional<Long> limit = softLimit("Max open files");
    if (limit.isEmpty()) {
      return Finding.warn("open files", "the system does not tell the limit");
    }
    if (limit.get() < FILES_NEEDED) {
      return Finding.fail(
          "open files",
          limit.get() + " at most; a node needs " + FILES_NEEDED + ": ulimit -n " + FILES_WANTED);
    }
    if (limit.get() < FILES_WANTED) {
      return Finding.warn(
          "open files",
          limit.get()
              + " at most, enough for small tables; Cassandra asks for "
              + FILES_WANTED
              + ": ulimit -n "
              + FILES_WANTED);
    }
    return Finding.ok("open files", shown(limit.get()));
  }

  private Finding memlock() {
    Optional<Long> limit = softLimit("Max locked memory");
    if (limit.isEmpty()) {
      return Finding.warn("locked memory", "the system does not tell the limit");
    }
    if (limit.get() < Long.MAX_VALUE) {
      return Finding.warn(
          "locked memory",
          new ByteSize(limit.get()).human()
              + " at most: Cassandra cannot keep its heap out of swap. Run 'ulimit -l unlimited'"
              + " before a node that matters, or turn swap off");
    }
    return Finding.ok("locked memory", "unlimited");
  }

  /** Returns a soft limit, {@link Long#MAX_VALUE} for unlimited. */
  private Optional<Long> softLimit(String name) {
    return limits.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip().split("\\s+", -1)[0])
        .map(
            soft ->
                soft.toLowerCase(Locale.ROOT).equals("unlimited")
                    ? Long.MAX_VALUE
                    : Long.parseLong(soft))
        .findFirst();
  }

  private static String shown(long limit) {
    return limit == Long.MAX_VALUE ? "unlimited" : Long.toString(limit);
  }
}
