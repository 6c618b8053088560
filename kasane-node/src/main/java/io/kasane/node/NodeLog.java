/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A node's log files, read as text. */
public final class NodeLog {
  private static final Pattern TROUBLE =
      Pattern.compile("^(ERROR|FATAL)|Exception|^Caused by|^Error|Could not|# A fatal error");

  private static final Pattern LEVEL = Pattern.compile("^(TRACE|DEBUG|INFO|WARN|ERROR|FATAL) ");
  private static final Pattern FRAME = Pattern.compile("^\\s+(at |\\.\\.\\. )");

  private final Path systemLog;
  private final Path stdoutLog;

  NodeLog(Path systemLog, Path stdoutLog) {
    this.systemLog = systemLog;
    this.stdoutLog = stdoutLog;
  }

  /** Returns Cassandra's own log file. */
  public Path path() {
    return systemLog;
  }

  /** Returns what the JVM printed: the place of failures from before logging starts. */
  public Path stdoutPath() {
    return stdoutLog;
  }

  /** Returns the lines of Cassandra's log; empty while there is none. */
  public List<String> lines() {
    return lines(systemLog);
  }

  /** Returns whether some line of Cassandra's log contains the text. */
  public boolean contains(String text) {
    return lines().stream().anyMatch(line -> line.contains(text));
  }

  /** Returns what was logged at level ERROR, each with what was thrown and its causes, if any. */
  public List<String> errors() {
    List<String> errors = new ArrayList<>();
    StringBuilder error = null;
    for (String line : lines()) {
      if (LEVEL.matcher(line).find()) {
        if (error != null) {
          errors.add(error.toString());
        }
        error = line.startsWith("ERROR") ? new StringBuilder(line) : null;
      } else if (error != null && !FRAME.matcher(line).find()) {
        error.append('\n').append(line);
      }
    }
    if (error != null) {
      errors.add(error.toString());
    }
    return errors;
  }

  /** Returns the last lines of both logs that look like the cause of a failure. */
  public List<String> lastTrouble(int limit) {
    List<String> trouble = lastMatching(systemLog, limit);
    return trouble.isEmpty() ? lastMatching(stdoutLog, limit) : trouble;
  }

  private static List<String> lastMatching(Path file, int limit) {
    List<String> found = lines(file).stream().filter(line -> TROUBLE.matcher(line).find()).toList();
    return found.subList(Math.max(0, found.size() - limit), found.size());
  }

  private static List<String> lines(Path file) {
    try {
      // A line cut by kill -9 may hold half a character: replace it, do not fail on it.
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
