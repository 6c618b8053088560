/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import io.kasane.ramp.version.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a process of clients does, and how it is told on its command line.
 *
 * @param nodes those that are asked for the others, HOST:PORT: one of them may be down
 * @param keyspace where the tables are
 * @param process the number in the history
 * @param seed what chance begins with
 * @param skewMillis how far the wall clock is ahead
 * @param log where the history is logged
 * @param haltAt at which of its commits the process ends; 0 for none
 * @param retries whether puts that failed are tried again
 * @param modes the modes of its clients
 * @param batches whether to write logged batches to plain tables instead of transactions
 * @param pauseMillis between two transactions of a user
 */
record LoadSettings(
    List<String> nodes,
    String keyspace,
    int process,
    long seed,
    long skewMillis,
    Path log,
    int haltAt,
    boolean retries,
    List<Mode> modes,
    boolean batches,
    int pauseMillis) {

  Duration skew() {
    return Duration.ofMillis(skewMillis);
  }

  /** As arguments of the process. */
  List<String> arguments() {
    return List.of(
        "nodes=" + String.join("+", nodes),
        "keyspace=" + keyspace,
        "process=" + process,
        "seed=" + seed,
        "skewMillis=" + skewMillis,
        "log=" + log,
        "haltAt=" + haltAt,
        "retries=" + retries,
        "modes=" + String.join("+", modes.stream().map(Mode::name).toList()),
        "batches=" + batches,
        "pauseMillis=" + pauseMillis);
  }

  /** From arguments. */
  static LoadSettings parse(String[] arguments) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      values.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    return new LoadSettings(
        List.of(values.get("nodes").split("\\+")),
        values.get("keyspace"),
        Integer.parseInt(values.get("process")),
        Long.parseLong(values.get("seed")),
        Long.parseLong(values.get("skewMillis")),
        Path.of(values.get("log")),
        Integer.parseInt(values.get("haltAt")),
        Boolean.parseBoolean(values.get("retries")),
        Arrays.stream(values.get("modes").split("\\+")).map(Mode::valueOf).toList(),
        Boolean.parseBoolean(values.get("batches")),
        Integer.parseInt(values.get("pauseMillis")));
  }

  /** The same with another end, for a process that replaces one. */
  LoadSettings with(int newProcess, Path newLog, int newHaltAt) {
    return new LoadSettings(
        nodes,
        keyspace,
        newProcess,
        seed + 1000,
        skewMillis,
        newLog,
        newHaltAt,
        retries,
        modes,
        batches,
        pauseMillis);
  }
}
