/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.bench.load.TraceFiles;
import io.kasane.heat.sim.Trace;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What can be replayed: generated streams and traces of real accesses. */
final class Sources {
  /** Names of the generated streams. */
  static final String NAMES = "zipf-0.99, zipf-0.90, zipf-0.75, scrambled, uniform, drift, shift";

  private static final int CHOICES = 50;

  /** Hot sets are chosen more often where they move: how soon one is found is what counts. */
  private static final int MOVING_CHOICES = 200;

  private static final int DRIFT_PHASES = 10;

  /** Fewer and the smallest budget, 1 % of the keys, is less than a key. */
  private static final int MIN_KEYS = 100;

  private Sources() {}

  /** The generated streams. */
  static List<Source> generated(HeatScale scale, long seed) {
    return List.of(
        zipf("zipf-0.99", 0.99, scale, seed),
        zipf("zipf-0.90", 0.90, scale, seed),
        zipf("zipf-0.75", 0.75, scale, seed),
        new Source(
            "scrambled",
            1,
            CHOICES,
            () -> Trace.scrambledZipf(scale.keys(), 0.99, scale.accesses(), seed)),
        zipf("uniform", 0, scale, seed),
        moving("drift", DRIFT_PHASES, scale, seed),
        moving("shift", 2, scale, seed));
  }

  private static Source zipf(String name, double s, HeatScale scale, long seed) {
    return new Source(name, 1, CHOICES, () -> Trace.zipf(scale.keys(), s, scale.accesses(), seed));
  }

  private static Source moving(String name, int phases, HeatScale scale, long seed) {
    int keys = scale.movingKeys();
    return new Source(
        name,
        phases,
        MOVING_CHOICES,
        () -> Trace.zipf(keys, 0.9, scale.movingAccesses(), seed).moving(keys, phases));
  }

  /**
   * The sources that were asked for: names choose among the generated streams, files are replayed
   * beside them. Files are read at once, so that a broken one is found before anything runs.
   *
   * @throws NodeException if a word is no source
   */
  static List<Source> named(List<String> words, HeatScale scale, long seed) {
    List<Source> generated = generated(scale, seed);
    List<String> known = generated.stream().map(Source::name).toList();
    List<Source> sources = new ArrayList<>(generated);
    if (words.stream().anyMatch(known::contains)) {
      sources.removeIf(source -> !words.contains(source.name()));
    }
    for (String word : words) {
      if (!known.contains(word)) {
        sources.add(file(word));
      }
    }
    Set<String> seen = new HashSet<>();
    for (Source source : sources) {
      if (!seen.add(source.name())) {
        throw new NodeException(
            "SOURCE: two are called '" + source.name() + "'. Name each once, or rename a file.");
      }
    }
    return sources;
  }

  private static Source file(String word) {
    if (!word.matches(".*\\.trace(\\.xz)?")) {
      throw new NodeException(
          "SOURCE: '"
              + word
              + "' is neither a file that ends in .trace or .trace.xz, nor one of "
              + NAMES);
    }
    Trace trace;
    try {
      trace = TraceFiles.read(Path.of(word));
    } catch (IOException e) {
      throw new NodeException(
          "SOURCE: cannot read the trace '" + word + "' (" + e + "). Name another file.", e);
    }
    if (trace.distinctKeys() < MIN_KEYS) {
      throw new NodeException(
          "SOURCE: '"
              + word
              + "' has "
              + trace.distinctKeys()
              + " keys, but budgets of 1 % need at least "
              + MIN_KEYS
              + ". Name a longer trace.");
    }
    String name = trace.name().replaceAll("\\.trace$", "").replaceAll("[^A-Za-z0-9._-]", "_");
    return new Source(name, 1, CHOICES, () -> trace);
  }
}
