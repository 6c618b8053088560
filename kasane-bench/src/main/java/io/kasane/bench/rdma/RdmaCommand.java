/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.lab.TemporaryPlace;
import io.kasane.bench.report.ExperimentOptions;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import io.kasane.rdma.ucx.UcxSupport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kasane bench rdma}. */
@Command(
    name = "rdma",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Read-atomic transactions over a store in memory, beside two-phase locking and no control: by"
          + " sockets, by messages that are written into the peer's memory (GET+, PUT+), and by"
          + " reads out of the server's memory that ask nobody (GET*).",
      "And the same on a node with an arena, first rounds by CQL, TCP and shared memory.",
      "All processes run on this machine. Leaves a folder with numbers, figures and a summary. Ends"
          + " with 0 only if the systems that promise atomic reads had no halves."
    })
public final class RdmaCommand implements Callable<Integer> {
  private static final Predicate<Contestant> USES_UCX =
      contestant -> contestant.transport().isByUcx();

  private static final int MAX_SERVERS = 8;
  private static final int MAX_CLIENTS = 64;
  private static final Duration BETWEEN = Duration.ofMillis(300);

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description =
          "smoke (some 9 minutes), small (some 40) or paper (hours) (default: ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Processes that share the keys, of each transport (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Threads, each with one transaction at a time (default: of each transport as many as give"
              + " the most).")
  private int clients;

  @Mixin private ExperimentOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    within("--servers", servers, 1, MAX_SERVERS);
    within("--clients", clients, 0, MAX_CLIENTS);
    RdmaScale size = RdmaScale.named(scale);
    size = size.lasting(options.duration(size.duration()));
    List<Contestant> contestants = Contestant.chosen(options.only());
    Optional<String> withoutUcx =
        contestants.stream().anyMatch(USES_UCX) ? ucx() : Optional.empty();
    if (withoutUcx.isPresent()) {
      contestants = contestants.stream().filter(USES_UCX.negate()).toList();
    }
    RdmaExperiment experiment =
        new RdmaExperiment(size, options.seed(), contestants, servers, clients, withoutUcx);
    Duration perStep = size.warmUp().plus(size.duration()).plus(BETWEEN);
    ResultFolder folder =
        new ResultFolder(
            options.directory("rdma", scale),
            options.facts("rdma", scale, Distribution.locate(), null));
    options.onNodes(
        () -> {},
        nodes -> {
          try (TemporaryPlace place = new TemporaryPlace("kasane-rdma")) {
            experiment.run(
                place.directoryInMemory(),
                nodes,
                folder,
                options.progress(experiment.steps(), perStep));
          }
        });
    options.tellResults(folder.directory());
    return experiment.isRight() ? 0 : 1;
  }

  /** Why what needs OpenUCX is left out; it is not where somebody asks for it by name. */
  private Optional<String> ucx() {
    Optional<String> problem =
        UcxSupport.whyNotMemory()
            .map(
                why ->
                    "send-receive and get-star-ucx need OpenUCX: point the environment variable KASANE_UCX at the"
                        + " directory of its libucp.so, which sees to the rest ("
                        + why
                        + ")");
    problem.ifPresent(
        why -> {
          if (options.only() != null) {
            throw new NodeException("--only: " + why);
          }
          System.err.println("kasane: left out: " + why);
        });
    return problem;
  }

  private static void within(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new NodeException(option + ": " + value + " is outside " + least + ".." + most);
    }
  }
}
