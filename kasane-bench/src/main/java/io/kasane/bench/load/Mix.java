/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import io.kasane.node.NodeException;

/**
 * How many operations are reads. The share may change in the course of the run, from one value to
 * another along a straight line.
 *
 * @param readShareAtStart 0 to 1
 * @param readShareAtEnd 0 to 1
 */
public record Mix(double readShareAtStart, double readShareAtEnd) {
  /** Half reads, half updates: a store of sessions, as both papers ran it. */
  public static final Mix HALF = constant(0.5);

  /** 95 % reads. */
  public static final Mix READ_HEAVY = constant(0.95);

  /** 5 % reads. */
  public static final Mix WRITE_HEAVY = constant(0.05);

  /** Checks the shares. */
  public Mix {
    if (!(readShareAtStart >= 0 && readShareAtStart <= 1)
        || !(readShareAtEnd >= 0 && readShareAtEnd <= 1)) {
      throw new IllegalArgumentException(
          "read share " + readShareAtStart + " to " + readShareAtEnd + "; need 0 to 1");
    }
  }

  /** The same share all the time. */
  public static Mix constant(double readShare) {
    return new Mix(readShare, readShare);
  }

  /** Reads {@code 95/5}, or {@code 95/5-5/95} for a share that changes in the course of the run. */
  public static Mix parse(String text) {
    String[] ends = text.split("-", -1);
    if (ends.length <= 2 && text.matches("\\d+/\\d+(-\\d+/\\d+)?")) {
      return new Mix(share(ends[0], text), share(ends[ends.length - 1], text));
    }
    throw bad(text);
  }

  private static double share(String part, String text) {
    int slash = part.indexOf('/');
    int reads = Integer.parseInt(part.substring(0, slash));
    if (reads + Integer.parseInt(part.substring(slash + 1)) != 100) {
      throw bad(text);
    }
    return reads / 100.0;
  }

  private static NodeException bad(String text) {
    return new NodeException(
        "--mix: '" + text + "' is no mix of reads and updates; write 95/5, or 95/5-5/95 to change");
  }

  /** The share of reads when so much of the run is over, both 0 to 1. */
  public double readShare(double progress) {
    return readShareAtStart + (readShareAtEnd - readShareAtStart) * progress;
  }

  @Override
  public String toString() {
    String start = percent(readShareAtStart);
    return readShareAtStart == readShareAtEnd ? start : start + " to " + percent(readShareAtEnd);
  }

  private static String percent(double readShare) {
    long reads = Math.round(readShare * 100);
    return reads + "/" + (100 - reads);
  }
}
