/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kasane.node.views.AboutNode;
import io.kasane.node.views.DiskRow;
import io.kasane.node.views.HeatBand;
import io.kasane.node.views.HotKey;
import io.kasane.node.views.Moment;
import io.kasane.node.views.NodeOverview;
import io.kasane.node.views.Sizing;
import io.kasane.node.views.TableSummary;
import io.kasane.node.views.TableView;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  private static final long MIB = 1 << 20;
  private static final String HOSTILE = "<script>alert('x')</script>\"";

  @TempDir private Path dir;

  /** Rows of which the hottest get most; the hot ones lie on fast. */
  private static List<HeatBand> skewed() {
    List<HeatBand> bands = new ArrayList<>();
    double share = 0.3;
    for (long first = 1; first < 100_000; first *= 2) {
      double fast = first < 4_000 ? 0.95 : first < 10_000 ? 0.4 : 0;
      bands.add(new HeatBand(first, 2 * first - 1, share, fast, 1 - fast));
      share *= 0.7;
    }
    return bands;
  }

  private static List<HeatBand> even() {
    List<HeatBand> bands = new ArrayList<>();
    for (long first = 1; first < 100_000; first *= 2) {
      bands.add(new HeatBand(first, 2 * first - 1, first / 131_072.0, 0.1, 0.9));
    }
    return bands;
  }

  private static List<Moment> history(boolean isServed) {
    List<Moment> history = new ArrayList<>();
    long fast = 0;
    long slow = 0;
    for (int minute = 0; minute < 60; minute++) {
      double share = isServed ? Math.min(0.8, minute / 20.0) : 0.1;
      fast += Math.round(1000 * share);
      slow += Math.round(1000 * (1 - share));
      history.add(
          new Moment(
              Instant.parse("2026-11-30T20:00:00Z").plusSeconds(60L * minute),
              minute * 200L,
              fast,
              slow,
              Math.min(18, minute) * MIB,
              Math.min(18, minute) * 900L,
              Math.max(0, minute - 20) * 10L));
    }
    return history;
  }

  private static List<Sizing> sizes() {
    List<Sizing> sizes = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      String remark = i == 4 ? "today" : i == 8 ? "knee" : "";
      sizes.add(new Sizing(5 * MIB * i, 1000L * i, 1 - Math.exp(-i / 5.0), remark));
    }
    return sizes;
  }

  private static TableFacts facts(
      List<HeatBand> heat, List<Moment> history, boolean pays, boolean hasFast) {
    TableSummary summary =
        new TableSummary(
            "shop." + HOSTILE,
            "budget",
            "tier",
            hasFast ? 20 * MIB : 0,
            hasFast ? 18 * MIB : 0,
            0,
            200 * MIB,
            hasFast ? 30_000 : 0,
            20_000,
            hasFast ? 0.6 : 0,
            0,
            pays,
            heat.isEmpty() ? 0 : 131_071,
            0.8,
            1);
    TableView table =
        new TableView(
            "budget",
            "heat",
            summary.fastQuotaBytes(),
            summary.fastUsedBytes(),
            summary.slowBytes(),
            12_000,
            summary.readsFast(),
            summary.readsSlow(),
            16_000,
            400,
            summary.trackedKeys(),
            12_000,
            17 * MIB,
            0.8);
    NodeOverview node =
        new NodeOverview(
            new AboutNode(
                "10.0.0.1:9042",
                "0.1.0",
                "5.0.9",
                "17.0.1",
                0,
                hasFast ? List.of("/nvme") : List.of(),
                OptionalLong.empty(),
                64 * MIB),
            List.of(summary),
            List.of(),
            List.of(),
            List.of(
                new DiskRow(
                    "/hdd", "slow", OptionalLong.of(900 * MIB), OptionalLong.of(300 * MIB), true)),
            List.of(),
            List.of());
    return new TableFacts(
        Instant.parse("2026-11-30T21:00:00Z"),
        node,
        summary,
        table,
        heat,
        history,
        heat.isEmpty() ? List.of() : sizes(),
        List.of());
  }

  private static TableFacts well() {
    return facts(skewed(), history(true), true, true);
  }

  private static Stream<TableFacts> all() {
    return Stream.of(
        well(),
        facts(even(), history(false), false, true),
        facts(skewed(), history(false), true, false),
        facts(List.of(), List.of(), true, true));
  }

  @Test
  void thePageNeedsNothingFromElsewhereAndRunsNothing() {
    assertThat(all())
        .allSatisfy(
            facts ->
                assertThat(Page.of(facts))
                    .doesNotContain("http", "src=", "@import", "url(", "<script", "alert('x')")
                    .contains("prefers-color-scheme: dark", "width=device-width", "&lt;script&gt;")
                    .contains("10.0.0.1:9042", "/hdd"));
  }

  @Test
  void aTableThatTiersWellIsDrawnWithWhatALargerQuotaWouldServe() {
    assertThat(Page.of(well()))
        .contains("<polyline class='line fast'", "<rect class='fast'", "<rect class='slow'")
        .contains("today: 20.0 MiB", "knee: 40.0 MiB", "60.0 %");
    assertThat(Advice.of(well()))
        .anyMatch(line -> line.startsWith("A larger quota pays: 40.0 MiB"));
  }

  @Test
  void whereNothingIsHotThatIsSaid() {
    List<String> advice = Advice.of(facts(even(), history(false), false, true));
    assertThat(advice).anyMatch(line -> line.startsWith("Nothing is hot: the hottest tenth"));
    assertThat(advice).anyMatch(line -> line.startsWith("Copies do not pay"));
    assertThat(advice).noneMatch(line -> line.contains("quota pays"));
  }

  @Test
  void withoutAFastDiskItSaysWhatOneWouldServe() {
    TableFacts facts = facts(skewed(), history(false), true, false);
    assertThat(Advice.of(facts)).hasSize(2);
    assertThat(Advice.of(facts).get(0)).startsWith("This node has no fast disk.");
    assertThat(Advice.of(facts).get(1))
        .startsWith("A fast disk with 40.0 MiB for this table would serve 80 % of its reads");
    assertThat(Page.of(facts)).contains("What another quota").doesNotContain("from fast");
  }

  @Test
  void aTableThatNobodyReadIsToldSo() {
    TableFacts facts = facts(List.of(), List.of(), true, true);
    assertThat(Advice.of(facts)).singleElement().asString().startsWith("No row was read");
    assertThat(Page.of(facts)).contains("No row has any heat yet", "It moved no row");
  }

  @Test
  void keysAreShownOnlyIfWanted() {
    TableFacts with =
        new TableFacts(
            well().at(),
            well().node(),
            well().summary(),
            well().table(),
            well().heat(),
            well().history(),
            well().sizing(),
            List.of(new HotKey(1, "patient-4711", 0.3, 1024, "fast")));
    assertThat(Page.of(with)).contains("patient-4711");
    assertThat(Page.of(well())).doesNotContain("Hottest rows");
  }

  /** Light, dark, and as wide as a telephone: no error, nothing wider than the screen. */
  @Test
  void aBrowserDrawsIt() throws Exception {
    Optional<Path> chromium = browser();
    assumeTrue(chromium.isPresent(), "needs chromium");
    Path page = Files.writeString(dir.resolve("page.html"), Page.of(well()));
    String dom =
        run(chromium.get(), "--dump-dom", "--window-size=390,800", page.toUri().toString());
    assertThat(dom).contains("<svg", "</body>");
    Path pictures = Files.createDirectories(Path.of("target/report"));
    int number = 0;
    for (TableFacts facts : all().toList()) {
      Path html = Files.writeString(pictures.resolve("page" + number + ".html"), Page.of(facts));
      for (String size : List.of("1000,2300", "390,2900")) {
        Path picture = pictures.resolve("page" + number + "-" + size.replace(',', 'x') + ".png");
        run(
            chromium.get(),
            "--hide-scrollbars",
            "--window-size=" + size,
            "--screenshot=" + picture.toAbsolutePath(),
            html.toUri().toString());
        assertThat(picture).isNotEmptyFile();
      }
      number++;
    }
  }

  private String run(Path chromium, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                chromium.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + dir.resolve("profile")));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
    return said;
  }

  private static Optional<Path> browser() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .flatMap(entry -> Stream.of(Path.of(entry, "chromium"), Path.of(entry, "chromium-browser")))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
