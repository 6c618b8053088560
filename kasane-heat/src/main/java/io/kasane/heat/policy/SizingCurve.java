/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.track.HeatSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which share of the accesses the hottest keys get, by the bytes that these keys take: what a fast
 * disk of that size would serve.
 *
 * <p>Keys are ranked by their heat per byte from before the last completed period, and judged by
 * the accesses since: of many keys that were read once, some come first by chance, and accesses
 * that ranked a key would flatter it. While there are too few newer accesses, heat ranks and
 * judges.
 *
 * <p>Immutable; 16 bytes a key of the snapshot.
 */
public final class SizingCurve {
  private static final int MIN_NEWER_ACCESSES = 500;
  private static final int FEW = 63;

  private final long[] bytes;
  private final double[] shares;
  private final int weight;

  private SizingCurve(long[] bytes, double[] shares, int weight) {
    this.bytes = bytes;
    this.shares = shares;
    this.weight = weight;
  }

  /**
   * A point of the curve.
   *
   * @param hotBytes that the hottest keys may take
   * @param hotKeys how many these are
   * @param accessShare that they get, 0 to 1
   */
  public record Point(long hotBytes, long hotKeys, double accessShare) {}

  /**
   * The curve of what a tracker has seen.
   *
   * @param unknownSizeBytes size of keys whose size was never reported; above 0
   */
  public static SizingCurve of(HeatSnapshot heat, long unknownSizeBytes) {
    double newer = heat.newerAccesses();
    // Aging halves heat, but not the counts of the periods: then what is left may be no ranking.
    boolean judgedByNewer = newer >= MIN_NEWER_ACCESSES && heat.totalHeat() >= 2 * newer;
    long[] order = new long[heat.size()];
    for (int i = 0; i < order.length; i++) {
      double rank = judgedByNewer ? older(heat, i) : heat.heatAt(i);
      float density = (float) (rank / size(heat, i, unknownSizeBytes));
      order[i] = ((long) ~Float.floatToRawIntBits(density) << 32) | i;
    }
    Arrays.sort(order);
    long[] bytes = new long[order.length];
    double[] shares = new double[order.length];
    double scale = newer / heat.totalHeat();
    double all = judgedByNewer ? newer : heat.totalHeat();
    int keys = 0;
    long byteSum = 0;
    double sum = judgedByNewer ? 0 : heat.missedHeat();
    for (long ranked : order) {
      int at = (int) ranked;
      if (judgedByNewer && older(heat, at) == 0) {
        break; // first seen after the ranking
      }
      byteSum += heat.weight() * size(heat, at, unknownSizeBytes);
      sum += heat.weight() * (judgedByNewer ? judged(heat, at, scale) : heat.heatAt(at));
      bytes[keys] = byteSum;
      shares[keys++] = all == 0 ? 0 : Math.max(0, Math.min(1, sum / all));
    }
    return new SizingCurve(Arrays.copyOf(bytes, keys), Arrays.copyOf(shares, keys), heat.weight());
  }

  private static double newer(HeatSnapshot heat, int at) {
    return heat.lastPeriodAccessesAt(at) + heat.runningPeriodAccessesAt(at);
  }

  /** So many accesses in a period are known about only, and chance does not flatter them. */
  private static double judged(HeatSnapshot heat, int at, double scale) {
    double newer = newer(heat, at);
    return newer <= FEW ? newer : scale * heat.heatAt(at);
  }

  private static double older(HeatSnapshot heat, int at) {
    return Math.max(0, heat.heatAt(at) - newer(heat, at));
  }

  private static long size(HeatSnapshot heat, int at, long unknownSizeBytes) {
    long size = heat.sizeBytesAt(at);
    return size > 0 ? size : unknownSizeBytes;
  }

  /** The hottest keys that fit {@code hotBytes}. */
  public Point at(long hotBytes) {
    int found = Arrays.binarySearch(bytes, hotBytes);
    int keys = found >= 0 ? found + 1 : -found - 1;
    return new Point(hotBytes, (long) keys * weight, keys == 0 ? 0 : shares[keys - 1]);
  }

  /**
   * Points from a thousandth of the bytes of all keys to all, each a like factor above the last.
   */
  public List<Point> points(int count) {
    long all = allBytes();
    if (all == 0) {
      return List.of();
    }
    return IntStream.range(0, count)
        .mapToLong(i -> Math.round(all * Math.pow(1000, (double) (i + 1 - count) / (count - 1))))
        .distinct()
        .mapToObj(this::at)
        .toList();
  }

  /**
   * Where more bytes begin to bring less than they do on average: the point farthest above the
   * straight line from nothing to everything (Satopää and others, "Finding a Kneedle in a
   * Haystack", 2011).
   */
  public Point knee() {
    double best = 0;
    long kneeBytes = 0;
    for (int i = 0; i < bytes.length; i++) {
      double above =
          shares[i] / shares[shares.length - 1] - (double) bytes[i] / bytes[bytes.length - 1];
      if (above > best) {
        best = above;
        kneeBytes = bytes[i];
      }
    }
    return at(kneeBytes);
  }

  private long allBytes() {
    return bytes.length == 0 ? 0 : bytes[bytes.length - 1];
  }
}
