/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.Trial;
import io.kasane.bench.lab.TrialResult;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The folder of one experiment.
 *
 * <pre>
 * README.md       tables and figures
 * summary.json    the same numbers for programs
 * facts.json      revision, machine, disks, command
 * trials/         *.csv, *.hlog: each second of each trial; *.log: of its node
 * figures/        *.png
 * </pre>
 *
 * <p>Numbers are written after each trial, so that an experiment that is cut short leaves what it
 * has seen.
 */
public final class ResultFolder {
  private final Path directory;
  private final Facts facts;
  private final List<TrialResult> results = new ArrayList<>();
  private final Map<String, String> pictures = new LinkedHashMap<>();

  /** Creates the folder, which must be empty or not there. */
  public ResultFolder(Path directory, Facts facts) {
    this.directory = directory;
    this.facts = facts;
    try {
      Files.createDirectories(directory);
      try (var files = Files.list(directory)) {
        if (files.findAny().isPresent()) {
          throw new NodeException(
              "--out: " + directory + " is not empty. Name a folder that is not there yet.");
        }
      }
      Files.createDirectories(directory.resolve("figures"));
    } catch (IOException e) {
      throw new NodeException(
          "--out: cannot create " + directory + " (" + e + "). Name another folder.", e);
    }
    facts.write(directory.resolve("facts.json"));
  }

  /** Returns the folder. */
  public Path directory() {
    return directory;
  }

  /** Returns the results so far. */
  public List<TrialResult> results() {
    return List.copyOf(results);
  }

  /** Returns where the node's log of the next trial belongs. */
  public Path logOfNext(Trial trial) {
    return directory.resolve("trials").resolve(name(results.size() + 1, trial) + ".log");
  }

  private static String name(int number, Trial trial) {
    return "%02d-%s".formatted(number, trial.label());
  }

  /** Keeps the numbers of a trial. */
  public void add(TrialResult result) {
    results.add(result);
    String name = name(results.size(), result.trial());
    try {
      TrialFiles.write(directory.resolve("trials"), name, result);
    } catch (IOException e) {
      throw new NodeException("cannot write to " + directory + ": " + e, e);
    }
    writeSummary();
  }

  /** Returns the file of a figure, which the page will show under this title. */
  public Path figure(String file, String title) {
    pictures.put(file, title);
    return directory.resolve("figures").resolve(file);
  }

  /** Writes the summary and the page anew. */
  public void writeSummary() {
    Summary.of(facts, results).write(directory.resolve("summary.json"));
    try {
      Files.writeString(
          directory.resolve("README.md"),
          SummaryPage.of(facts, results, pictures),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new NodeException("cannot write to " + directory + ": " + e, e);
    }
  }
}
