/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The folder of one experiment, raw numbers aside.
 *
 * <pre>
 * README.md       tables and figures
 * summary.json    the same numbers for programs
 * facts.json      revision, machine, disks, command
 * figures/        *.png
 * </pre>
 */
public final class ResultFolder {
  private final Path directory;
  private final Facts facts;
  private final Map<String, String> pictures = new LinkedHashMap<>();

  /**
   * Creates the folder.
   *
   * @throws NodeException if it is there already and not empty, or cannot be created
   */
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

  /** Returns where results go when nobody says where. */
  public static Path defaultDirectory(String experiment, String scale) {
    String now =
        LocalDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    return Path.of("bench-results", experiment + "-" + scale + "-" + now);
  }

  /** Returns the folder. */
  public Path directory() {
    return directory;
  }

  /** Returns the file of a figure, which the page will show under this title. */
  public Path figure(String file, String title) {
    pictures.put(file, title);
    return directory.resolve("figures").resolve(file);
  }

  /**
   * Writes the summary and the page anew.
   *
   * @param systems entries of the summary: records of numbers
   * @param tables what the page shows below the figures, in Markdown
   */
  public void write(List<?> systems, String tables) {
    Summary.of(facts, systems).write(directory.resolve("summary.json"));
    try {
      Files.writeString(directory.resolve("README.md"), head() + tables, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new NodeException("cannot write to " + directory + ": " + e, e);
    }
  }

  private String head() {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(facts.experiment()).append(", scale ").append(facts.scale());
    page.append("\n\n`").append(facts.command()).append("`\n\n");
    page.append("Began ").append(facts.began()).append(", revision ").append(facts.revision());
    if (facts.disks() != null) {
      page.append(".\n\nDisks: ").append(facts.disks());
    }
    page.append(".\n\nMachine: ");
    page.append(String.join(", ", facts.machine().values())).append(".\n\n");
    pictures.forEach(
        (file, title) ->
            page.append("![").append(title).append("](figures/").append(file).append(")\n\n"));
    return page.toString();
  }
}
