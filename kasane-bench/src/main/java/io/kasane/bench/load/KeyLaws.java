/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** Key laws by the names that users type. */
public final class KeyLaws {
  /** What can be typed, for help texts. */
  public static final String SYNTAX =
      "zipf[:S], scrambled[:S], latest[:S], shift[:S] (exponent, 0.99), uniform,"
          + " hotspot[:KEYS:DRAWS] (shares, 0.05:0.95), or trace:FILE";

  private static final double USUAL_SKEW = 0.99;
  private static final double MAX_SKEW = 2;
  private static final Set<String> SKEWED = Set.of("zipf", "scrambled", "latest", "shift");

  private KeyLaws() {}

  /** Makes a law. */
  public static KeyLaw parse(String text, int rows, long seed) {
    String[] words = text.split(":", 2);
    double skew = skewOf(text);
    return switch (words[0]) {
      case "zipf" -> new ExactZipf(rows, skew, seed);
      case "scrambled" -> new ScrambledZipf(rows, skew, seed);
      case "uniform" -> new UniformKeys(rows, seed);
      case "latest" -> new Latest(rows, skew, seed);
      case "shift" -> new Shifted(new ExactZipf(rows, skew, seed), rows, 0.5);
      case "hotspot" -> hotspot(words.length == 1 ? "0.05:0.95" : words[1], rows, seed);
      case "trace" -> trace(words.length == 1 ? "" : words[1], rows);
      default -> throw new NodeException("--keys: '" + text + "' is none of " + SYNTAX);
    };
  }

  /** The exponent of a law, the usual one of laws that have none. */
  public static double skewOf(String text) {
    String[] words = text.split(":", 2);
    if (words.length == 1 || !SKEWED.contains(words[0])) {
      return USUAL_SKEW;
    }
    double skew = words[1].matches("\\d*\\.?\\d+") ? Double.parseDouble(words[1]) : Double.NaN;
    boolean known = skew > 0 && (words[0].equals("scrambled") ? skew < 1 : skew <= MAX_SKEW);
    if (!known) {
      throw new NodeException(
          "--keys: '"
              + text
              + "': the exponent must be above 0 and at most 2 (scrambled: below 1), such as "
              + words[0]
              + ":0.90");
    }
    return skew;
  }

  private static KeyLaw hotspot(String shares, int rows, long seed) {
    if (!shares.matches("0?\\.\\d+:0?\\.\\d+")) {
      throw new NodeException("--keys: hotspot wants two shares, such as hotspot:0.05:0.95");
    }
    String[] both = shares.split(":", -1);
    return new Hotspot(rows, Double.parseDouble(both[0]), Double.parseDouble(both[1]), seed);
  }

  private static KeyLaw trace(String file, int rows) {
    try {
      return new ReplayedTrace(TraceFiles.read(Path.of(file)), rows);
    } catch (IOException e) {
      throw new NodeException("--keys: cannot read the trace '" + file + "': " + e.getMessage(), e);
    }
  }
}
