/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.NodeProcesses;
import io.kasane.bench.lab.NodeRoots;
import io.kasane.bench.lab.TrialResult;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that experiments on nodes share, and what all of them do around their trials. */
public final class ExperimentOptions {
  private static final int MIN_SECONDS = 6;
  private static final String NODES = "kasane-bench";
  private static final int DELETIONS = 10;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder of the results (default: bench-results/NAME-SCALE-TIME).")
  private Path out;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description =
          "Nodes run in a new directory below this one (default: below that of temporary files).")
  private Path work;

  @Option(
      names = "--only",
      paramLabel = "SYSTEM",
      split = ",",
      description = "Run these systems only.")
  private Set<String> only;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long each system is loaded (default: as the scale says).")
  private Integer seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Decides which keys are drawn (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** The trials of an experiment. */
  public interface Trials {
    /** Runs them all. */
    void run(Distribution distribution, NodeRoots roots, TrialFolder folder, Progress progress)
        throws IOException, InterruptedException;
  }

  /** Returns the systems to run; null for all. */
  public Set<String> only() {
    return only;
  }

  /** Returns where nodes are to run; null if not chosen. */
  public Path work() {
    return work;
  }

  /** Returns what decides the keys. */
  public long seed() {
    return seed;
  }

  /** Returns how long to load each system: as the scale says, unless the user says otherwise. */
  public Duration duration(Duration ofScale) {
    if (seconds == null) {
      return ofScale;
    }
    if (seconds < MIN_SECONDS) {
      throw new NodeException(
          "--seconds: " + seconds + " is too short to measure; use at least " + MIN_SECONDS);
    }
    return Duration.ofSeconds(seconds);
  }

  /** What an experiment does with a directory for its nodes. */
  public interface NodeWork {
    /** Does it; nodes that are left are killed and the directory is deleted afterwards. */
    void in(Path nodes) throws IOException, InterruptedException;
  }

  /**
   * Runs an experiment and leaves its folder.
   *
   * @param count of its trials
   * @param perTrial how long one takes, as a first guess
   * @return the exit code: 0 if no read was wrong
   */
  public int run(
      String experiment, String scale, DiskRig rig, int count, Duration perTrial, Trials trials)
      throws IOException, InterruptedException {
    Distribution distribution = Distribution.locate();
    TrialFolder folder =
        new TrialFolder(
            directory(experiment, scale), facts(experiment, scale, distribution, rig.describe()));
    onNodes(
        rig, nodes -> trials.run(distribution, rig.open(nodes), folder, progress(count, perTrial)));
    tellResults(folder.directory());
    return folder.results().stream().mapToLong(TrialResult::wrongReads).sum() == 0 ? 0 : 1;
  }

  /** Returns the folder of the results. */
  public Path directory(String experiment, String scale) {
    return out == null ? ResultFolder.defaultDirectory(experiment, scale) : out;
  }

  /**
   * Returns the circumstances of this run.
   *
   * @param disks which; null if that is no matter
   */
  public Facts facts(String experiment, String scale, Distribution distribution, String disks) {
    return Facts.now(experiment, scale, Facts.typed(spec), distribution, disks);
  }

  /** Returns what tells users where the experiment stands. */
  public Progress progress(int count, Duration perTrial) {
    boolean live = Boolean.getBoolean("kasane.terminal");
    return new Progress(spec.commandLine().getOut(), live, count, perTrial);
  }

  /** Tells users where to look. */
  public void tellResults(Path directory) {
    PrintWriter text = spec.commandLine().getOut();
    text.println("Results: " + directory.resolve("README.md"));
    text.flush();
  }

  /** Does something in a new directory, and leaves neither nodes nor directory nor rig behind. */
  public void onNodes(Closeable rig, NodeWork work) throws IOException, InterruptedException {
    Path nodes = nodeDirectory();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> abort(rig, nodes), "end-of-experiment"));
    try (rig) {
      work.in(nodes);
    } finally {
      DirectoryUse.delete(nodes);
    }
  }

  private Path nodeDirectory() throws IOException {
    if (work == null) {
      return Files.createTempDirectory(NODES);
    }
    Files.createDirectories(work);
    return Files.createTempDirectory(work, NODES);
  }

  /**
   * When this process is told to end. The trial goes on until it misses its node, and may write
   * what is being deleted or start another node.
   */
  private static void abort(Closeable rig, Path nodes) {
    NodeProcesses.kill();
    Exception last = null;
    for (int more = DELETIONS; more > 0 && Files.exists(nodes); more--) {
      try {
        rig.close();
        DirectoryUse.delete(nodes);
      } catch (IOException | RuntimeException e) {
        last = e;
        NodeProcesses.kill();
      }
    }
    if (Files.exists(nodes)) {
      System.err.println(
          "kasane: delete " + nodes + " yourself, it could not be taken away: " + last);
    }
  }
}
