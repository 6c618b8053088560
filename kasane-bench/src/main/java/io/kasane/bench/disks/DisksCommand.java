/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.disks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.report.Charts;
import io.kasane.bench.report.Facts;
import io.kasane.disk.Layout;
import io.kasane.disk.model.DiskSpec;
import io.kasane.disk.model.HardDiskSpec;
import io.kasane.disk.model.SolidStateSpec;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane bench disks}. */
@Command(
    name = "disks",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures the modelled disks through the file system, in real time, beside what their data"
          + " sheets promise: random and sequential, reads and writes, 1 and 16 jobs.",
      "Ends with 0 only if every cell is within 5 %%. Run it on an otherwise idle machine."
    })
public final class DisksCommand implements Callable<Integer> {
  private static final double TOLERANCE = 0.05;
  private static final List<String> MODELS = List.of("hdd-7200", "ssd-sata");

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "20",
      description = "How long each of the 16 cells runs (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--faster",
      paramLabel = "X",
      defaultValue = "1",
      description = "Time-lapse: how many times as fast as their models (default: 1).")
  private double faster;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "The folder of the results.")
  private Path out;

  /** A cell, promised and measured. */
  record Outcome(String disk, String cell, Expectation promised, Expectation measured) {
    double worstError() {
      return Math.max(
          Math.max(
              error(measured.perSecond(), promised.perSecond()),
              error(measured.meanMillis(), promised.meanMillis())),
          error(measured.p99Millis(), promised.p99Millis()));
    }

    private static double error(double measured, double promised) {
      return Math.abs(measured / promised - 1);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < 1 || !(faster > 0)) {
      throw new NodeException(
          "--seconds " + seconds + " --faster " + faster + ": need at least 1 and more than 0");
    }
    PrintWriter text = spec.commandLine().getOut();
    Files.createDirectories(out);
    List<Outcome> outcomes = new ArrayList<>();
    for (String model : MODELS) {
      outcomes.addAll(measure(model, text));
    }
    write(outcomes);
    double worst = outcomes.stream().mapToDouble(Outcome::worstError).max().orElseThrow();
    text.printf(Locale.ROOT, "Worst cell: %.1f %% off. Results: %s%n", worst * 100, out);
    text.flush();
    return worst <= TOLERANCE ? 0 : 1;
  }

  private List<Outcome> measure(String model, PrintWriter text)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("kasane-disk");
    try {
      Path disk = Files.createDirectory(directory.resolve("disk"));
      Path layout = directory.resolve("disks.properties");
      new Layout(List.of(new Layout.Entry("disk", disk, model, 1L << 40, 1, faster)), 0)
          .write(layout);
      List<String> command = new ArrayList<>();
      command.add(Distribution.javaLauncher().toString());
      command.addAll(ModelRig.jvmFlags(layout));
      command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(CellRun.class.getName(), disk.toString(), "" + seconds));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      List<Outcome> outcomes = new ArrayList<>();
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Outcome outcome = outcome(model, line.split(" ", -1));
          outcomes.add(outcome);
          text.println(row(outcome));
          text.flush();
        }
      }
      if (process.waitFor() != 0) {
        throw new NodeException("the process that measures " + model + " failed; see above");
      }
      return outcomes;
    } finally {
      DirectoryUse.delete(directory);
    }
  }

  private Outcome outcome(String model, String[] words) {
    Cell cell = Cell.all().get(Integer.parseInt(words[1]));
    DiskSpec disk = DiskSpec.named(model).faster(faster);
    Expectation promised =
        disk instanceof HardDiskSpec head
            ? Expectation.of(head, cell)
            : Expectation.of((SolidStateSpec) disk, cell);
    Expectation measured =
        new Expectation(
            Double.parseDouble(words[2]),
            Double.parseDouble(words[3]),
            Double.parseDouble(words[4]));
    return new Outcome(model, cell.label(), promised, measured);
  }

  private static String row(Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,.1f | %,.1f | %.3f | %.3f | %.3f | %.3f | %.1f %% |",
        outcome.disk(),
        outcome.cell(),
        outcome.promised().perSecond(),
        outcome.measured().perSecond(),
        outcome.promised().meanMillis(),
        outcome.measured().meanMillis(),
        outcome.promised().p99Millis(),
        outcome.measured().p99Millis(),
        outcome.worstError() * 100);
  }

  private void write(List<Outcome> outcomes) throws IOException {
    String command = "kasane bench disks --seconds " + seconds + " --faster " + faster;
    Facts facts =
        Facts.now("disks", "-", command, Distribution.locate(), String.join(", ", MODELS));
    facts.write(out.resolve("facts.json"));
    new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValue(out.resolve("summary.json").toFile(), outcomes);
    StringBuilder page = new StringBuilder("# disks\n\n`" + command + "`\n\n");
    page.append("| disk | cell | requests/s promised | measured | mean ms promised | measured |");
    page.append(" p99 ms promised | measured | worst error |\n|-|-|-|-|-|-|-|-|-|\n");
    outcomes.forEach(outcome -> page.append(row(outcome)).append('\n'));
    page.append("\n![error by cell](error.png)\n");
    Files.writeString(out.resolve("README.md"), page);
    List<Charts.Bars> bars = new ArrayList<>();
    List<String> cells = Cell.all().stream().map(Cell::label).toList();
    for (int i = 0; i < MODELS.size(); i++) {
      String model = MODELS.get(i);
      bars.add(
          new Charts.Bars(
              model,
              3 + i,
              outcomes.stream()
                  .filter(outcome -> outcome.disk().equals(model))
                  .map(outcome -> outcome.worstError() * 100)
                  .toList()));
    }
    Charts.bars(
        out.resolve("error.png"),
        "Modelled disks: worst of throughput, mean and p99 against the data sheet",
        "% off",
        cells.stream().map(cell -> cell.replace(", ", " ")).toList(),
        bars);
  }
}
