/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The exporter's rules, the alerts and the board of the examples, against a real agent in a node.
 */
@Tag("node")
class MonitoringIT {
  private static final Path EXAMPLES = Path.of("../examples/monitoring");
  private static final Pattern SERIES = Pattern.compile("\\b(?:kasane|cassandra)_[a-z_]+");
  private static final Pattern SAMPLE =
      Pattern.compile("((?:kasane|cassandra)_[a-z_]+)(\\{.*})? .*");
  private static final Pattern EXPRESSION = Pattern.compile("^ +expr: (.+)$", Pattern.MULTILINE);

  /** A table has thirty, a node ten, an engine four, and there are two engines at most here. */
  private static final int MOST_SERIES = 2 * 30 + 10 + 2 * 4;

  @TempDir private Path dir;

  @Test
  void everyExpressionFindsItsSeries() throws Exception {
    int port = freePort();
    Path rules = EXAMPLES.resolve("jmx-exporter.yaml").toAbsolutePath().normalize();
    String agent =
        "-javaagent:" + System.getProperty("kasane.jmx.agent") + "=127.0.0.1:" + port + ":" + rules;
    try (FaultyNode faulty = FaultyNode.start(dir, settings -> settings.jvmFlag(agent))) {
      use(faulty.session(), faulty.node());
      // What tables have in engines is told by a thread that goes round.
      String scraped =
          Awaitility.await()
              .atMost(Duration.ofSeconds(30))
              .until(
                  () -> scrape(port),
                  text -> text.contains("kasane_engine_oldest_waiting_seconds{"));
      Set<String> series = new TreeSet<>();
      List<String> samples = new ArrayList<>();
      scraped
          .lines()
          .map(SAMPLE::matcher)
          .filter(Matcher::matches)
          .forEach(
              sample -> {
                series.add(sample.group(1));
                samples.add(sample.group());
              });
      assertThat(series)
          .as(scraped)
          .containsAll(namesIn(alerts()))
          .containsAll(namesIn(board()))
          .allSatisfy(
              name ->
                  assertThat(scraped)
                      .contains("# HELP " + name + " ")
                      .contains("# TYPE " + name + (isCounter(name) ? " counter" : " gauge")));
      assertThat(samples)
          .anyMatch(
              line ->
                  line.startsWith("kasane_reads_total{keyspace=\"k\",table=\"t\",tier=\"fast\"}"))
          .anyMatch(line -> line.matches("kasane_reads_total\\{.*tier=\"memory\".*} [1-9].*"))
          .anyMatch(
              line -> line.matches("kasane_worker_age_seconds\\{worker=\"Maintenance\"\\} .*"))
          .anyMatch(line -> line.startsWith("kasane_engine_out{engine=\"faulty\"} 0"))
          .anyMatch(line -> line.matches("kasane_version\\{version=\"\\S+\"} 1.*"))
          .hasSizeLessThan(MOST_SERIES);
    }
  }

  private static void use(CqlSession session, LocalNode node) throws IOException {
    session.execute(
        "CREATE TABLE k.t (id int PRIMARY KEY, v text) WITH compaction = {'class':"
            + " 'io.kasane.tier.HeatTieredCompactionStrategy'}");
    EngineNodes.createTable(session, "e", "faulty");
    for (int id = 0; id < 10; id++) {
      session.execute("INSERT INTO k.t (id, v) VALUES (?, 'v')", id);
      session.execute("SELECT v FROM k.t WHERE id = ?", id);
    }
    try (var jmx = node.jmx()) {
      jmx.flush("k");
    }
  }

  private static boolean isCounter(String name) {
    return name.endsWith("_total");
  }

  private static String scrape(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Set<String> namesIn(List<String> expressions) {
    assertThat(expressions).hasSizeGreaterThan(5);
    Set<String> names = new TreeSet<>();
    for (String expression : expressions) {
      SERIES.matcher(expression).results().forEach(found -> names.add(found.group()));
    }
    return names;
  }

  private static List<String> alerts() throws IOException {
    return EXPRESSION
        .matcher(Files.readString(EXAMPLES.resolve("alerts.yaml")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static List<String> board() throws IOException {
    JsonNode board = new ObjectMapper().readTree(EXAMPLES.resolve("grafana.json").toFile());
    List<String> expressions = new ArrayList<>(board.findValuesAsText("expr"));
    expressions.addAll(board.findValuesAsText("definition"));
    return expressions;
  }
}
