/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * Counts what an operation asks of a disk, then repeats it on a disk that fails at one of these
 * requests and all that follow. With {@code -Dkasane.fault.all=true} that is each request in turn,
 * from {@code -Dkasane.fault.from=N} on, with each error, else those of some points.
 *
 * @param name of the operation, for messages
 * @param files on the disk, as a regular expression
 * @param errors names of {@link io.kasane.disk.DiskError}, by turns
 */
record FaultSweep(
    String name,
    FaultyNode node,
    FaultyDisk disk,
    String files,
    List<String> errors,
    List<Point> points) {
  /** The request from which on all fail. */
  enum Point {
    FIRST,
    MIDDLE,
    /** The last write of data; where there is none, nothing fails. */
    CHECKSUM,
    LAST;

    private long of(List<String> requests) {
      return switch (this) {
        case FIRST -> 1;
        case MIDDLE -> (requests.size() + 1) / 2;
        case CHECKSUM -> 1L + lastWriteOfData(requests);
        case LAST -> requests.size();
      };
    }
  }

  private static final Duration MAX_UNTIL_FAILED = Duration.ofSeconds(30);

  void run(Operation operation) throws Exception {
    List<String> described = count(operation);
    long requests = described.size();
    if (Boolean.getBoolean("kasane.fault.all")) {
      for (long k = Long.getLong("kasane.fault.from", 1); k <= requests; k++) {
        for (String error : errors) {
          fail(operation, k, error, requests);
        }
      }
    } else {
      for (int i = 0; i < points.size(); i++) {
        long k = points.get(i).of(described);
        if (k > 0) {
          fail(operation, k, errors.get(i % errors.size()), requests);
        }
      }
    }
  }

  private static int lastWriteOfData(List<String> requests) {
    int last = -1;
    for (int i = 0; i < requests.size(); i++) {
      String request = requests.get(i);
      last = request.startsWith("WRITE ") && request.endsWith("-Data.db") ? i : last;
    }
    return last;
  }

  private List<String> count(Operation operation) throws Exception {
    operation.prepare();
    FaultyDisk.Requests requests = disk.count(files);
    operation.ask();
    await("is done on a whole disk", requests, operation);
    List<String> described = requests.described();
    System.out.printf("%s: %d requests, %s%n", name, described.size(), byKind(described));
    disk.clear();
    assertThat(described).as("requests of %s", name).isNotEmpty();
    operation.awaitRecovery("nothing");
    return described;
  }

  private static Map<String, Long> byKind(List<String> requests) {
    return requests.stream()
        .collect(
            Collectors.groupingBy(
                request -> request.substring(0, request.indexOf(' ')),
                TreeMap::new,
                Collectors.counting()));
  }

  private void fail(Operation operation, long k, String error, long count) throws Exception {
    String when = "%s with %s from request %d of %d".formatted(name, error, k, count);
    operation.prepare();
    FaultyDisk.Requests requests = disk.failFrom(k, files, error);
    try {
      operation.ask();
      await("fails or is done", requests, operation);
    } catch (Exception e) {
      node.requireServing(when); // says more
      throw new AssertionError(when + ": " + e.getMessage(), e);
    }
    System.out.printf("  %s: %s%n", when, outcome(requests));
    assertThat(k > 1 || requests.failed() > 0).as("%s has failed", when).isTrue();
    node.requireServing(when);
    operation.requireService(when);
    node.requireServing(when);
    disk.clear();
    long began = System.nanoTime();
    operation.awaitRecovery(when);
    System.out.printf("    well after %.1f s%n", (System.nanoTime() - began) / 1e9);
  }

  private static String outcome(FaultyDisk.Requests requests) throws IOException {
    List<String> failed =
        requests.described().stream().filter(request -> request.endsWith(" failed")).toList();
    return failed.isEmpty()
        ? "not reached"
        : failed.get(0) + ", and " + (failed.size() - 1) + " more so far";
  }

  private void await(String what, FaultyDisk.Requests requests, Operation operation) {
    Awaitility.await(name + " " + what)
        .atMost(MAX_UNTIL_FAILED)
        .pollDelay(Duration.ZERO)
        .until(() -> requests.failed() > 0 || operation.isDone());
  }
}
