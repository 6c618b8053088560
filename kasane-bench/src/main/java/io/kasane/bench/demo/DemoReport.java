/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a demonstration showed.
 *
 * @param rows rows in the table
 * @param ops operations that were answered
 * @param fastReadShareStart share of reads that fast served before the load, with nothing in
 *     memory; NaN if none
 * @param fastReadShareEnd the same after it
 * @param fastReadShareForeseen what {@code kasane_views.sizing} said of the quota before that
 * @param ceiling what a perfect placement would reach: the share of reads that go to the hottest
 *     tenth of the rows
 * @param wrongReads reads that returned what they must not
 * @param failedOperations operations that got an error instead of an answer
 * @param seconds how long the load ran
 * @param curve how the share of reads from fast went; at least one point
 * @param firstProblem the first wrong read or failure in words, or null
 */
public record DemoReport(
    int rows,
    long ops,
    double fastReadShareStart,
    double fastReadShareEnd,
    double fastReadShareForeseen,
    double ceiling,
    long wrongReads,
    long failedOperations,
    double seconds,
    List<DemoPicture.Point> curve,
    String firstProblem) {

  /** Returns whether there were reads and all were right. */
  public boolean passed() {
    return wrongReads == 0 && ops > 0;
  }

  /** Draws the curve as a PNG. */
  public void draw(Path file) {
    DemoPicture.write(file, this);
  }

  /** Writes the numbers as JSON; a share that was never measured is null. */
  public void write(Path file) {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ObjectNode json = mapper.createObjectNode();
    json.put("rows", rows);
    json.put("ops", ops);
    json.put("fastReadShareStart", measured(fastReadShareStart));
    json.put("fastReadShareEnd", measured(fastReadShareEnd));
    json.put("fastReadShareForeseen", measured(fastReadShareForeseen));
    json.put("ceiling", ceiling);
    json.put("wrongReads", wrongReads);
    json.put("failedOperations", failedOperations);
    json.put("seconds", seconds);
    try {
      mapper.writeValue(file.toFile(), json);
    } catch (IOException e) {
      throw new NodeException(
          "--report: cannot write " + file + " (" + e.getMessage() + "). Choose another file.", e);
    }
  }

  private static Double measured(double share) {
    return Double.isNaN(share) ? null : share;
  }
}
