/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.Trial;
import io.kasane.bench.lab.TrialResult;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder of an experiment on nodes: a {@link ResultFolder} and
 *
 * <pre>
 * trials/         *.csv, *.hlog: each second of each trial; *.log: of its node
 * </pre>
 *
 * <p>Numbers are written after each trial, so that an experiment that is cut short leaves what it
 * has seen.
 */
public final class TrialFolder {
  private final ResultFolder folder;
  private final List<TrialResult> results = new ArrayList<>();

  /** Creates the folder, which must be empty or not there. */
  public TrialFolder(Path directory, Facts facts) {
    this.folder = new ResultFolder(directory, facts);
  }

  /** Returns the folder. */
  public Path directory() {
    return folder.directory();
  }

  /** Returns the results so far. */
  public List<TrialResult> results() {
    return List.copyOf(results);
  }

  /** Returns where the files of the next trial belong, but for what their names end with. */
  public Path filesOfNext(Trial trial) {
    String name = "%02d-%s".formatted(results.size() + 1, trial.label());
    return directory().resolve("trials").resolve(name);
  }

  /** Keeps the numbers of a trial. */
  public void add(TrialResult result) {
    Path files = filesOfNext(result.trial());
    results.add(result);
    try {
      TrialCsv.write(files.resolveSibling(files.getFileName() + ".csv"), result);
    } catch (IOException e) {
      throw new NodeException("cannot write to " + directory() + ": " + e, e);
    }
    writeSummary();
  }

  /** Returns the file of a figure, which the page will show under this title. */
  public Path figure(String file, String title) {
    return folder.figure(file, title);
  }

  /** Writes the summary and the page anew. */
  public void writeSummary() {
    folder.write(results.stream().map(TrialEntry::of).toList(), TrialTable.of(results));
  }
}
