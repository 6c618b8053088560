/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import io.kasane.bench.heat.TraceFiles;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;

/** Key laws by the names that users type. */
public final class KeyLaws {
  /** What can be typed, for help texts. */
  public static final String SYNTAX =
      "zipf, scrambled, uniform, hotspot[:KEYS:DRAWS] (shares, 0.05:0.95), latest, shift, or"
          + " trace:FILE";

  private KeyLaws() {}

  /**
   * Makes a law.
   *
   * @param skew the exponent where the law has one
   */
  public static KeyLaw parse(String text, int rows, double skew, long seed) {
    String[] words = text.split(":", 2);
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
