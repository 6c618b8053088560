/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The results of an experiment; written as {@code summary.json}.
 *
 * @param experiment its name
 * @param scale its size
 * @param revision of the source
 * @param disks which, and how fast; null, and left out, if there were none
 * @param systems one entry for each thing measured, in numbers
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Summary(String experiment, String scale, String revision, String disks, List<?> systems) {

  /** Sums up an experiment. */
  static Summary of(Facts facts, List<?> systems) {
    return new Summary(facts.experiment(), facts.scale(), facts.revision(), facts.disks(), systems);
  }

  /** Writes the summary as JSON. */
  void write(Path file) {
    try {
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), this);
    } catch (IOException e) {
      throw new NodeException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
