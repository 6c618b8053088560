/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A sequence of accesses, held in memory at 4 bytes each. On disk a trace is a stream of big-endian
 * 32-bit integers, one object id per access. Immutable and safe to share.
 */
public final class Trace {
  private final String name;
  private final int[] ids;
  private final int distinctKeys;

  private Trace(String name, int[] ids) {
    this.name = name;
    this.ids = ids;
    this.distinctKeys = (int) Arrays.stream(ids).distinct().count();
  }

  /** A trace of these accesses. */
  public static Trace of(String name, int... ids) {
    return new Trace(name, ids.clone());
  }

  /** Reads an uncompressed file. */
  public static Trace read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(String.valueOf(file.getFileName()), in);
    }
  }

  /**
   * Reads a stream to its end (for example a decompressing one); does not close it.
   *
   * @throws IOException when reading fails or the length is no multiple of 4
   */
  public static Trace read(String name, InputStream in) throws IOException {
    byte[] bytes = new BufferedInputStream(in).readAllBytes();
    if (bytes.length % 4 != 0) {
      throw new IOException(
          "trace "
              + name
              + " is "
              + bytes.length
              + " bytes long, but must be a multiple of 4 bytes"
              + " (one big-endian int per access): it was cut off or is of another format");
    }
    int[] ids = new int[bytes.length / 4];
    ByteBuffer.wrap(bytes).asIntBuffer().get(ids);
    return new Trace(name, ids);
  }

  /**
   * Independent accesses to {@code keys} keys, key r (from 1) with a probability proportional to
   * 1/r^s, drawn exactly by the alias method (Walker 1977, in Vose's form).
   *
   * @param keys number of keys, at least 1
   * @param s skew, 0 (uniform) or more
   */
  public static Trace zipf(int keys, double s, int accesses, long seed) {
    double[] weights = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      weights[i] = Math.pow(i + 1, -s);
      sum += weights[i];
    }
    int[] alias = new int[keys];
    int[] stack = new int[keys]; // small ones from the left, large ones from the right
    int small = 0;
    int large = keys;
    for (int i = 0; i < keys; i++) {
      weights[i] *= keys / sum;
      if (weights[i] < 1) {
        stack[small++] = i;
      } else {
        stack[--large] = i;
      }
    }
    while (small > 0 && large < keys) {
      int poor = stack[--small];
      int rich = stack[large];
      alias[poor] = rich;
      weights[rich] -= 1 - weights[poor];
      if (weights[rich] < 1) {
        large++;
        stack[small++] = rich;
      }
    }
    while (small > 0) {
      weights[stack[--small]] = 1;
    }
    while (large < keys) {
      weights[stack[large++]] = 1;
    }
    SplittableRandom random = new SplittableRandom(seed);
    int[] ids = new int[accesses];
    for (int i = 0; i < accesses; i++) {
      int key = random.nextInt(keys);
      ids[i] = random.nextDouble() < weights[key] ? key : alias[key];
    }
    return new Trace("zipf " + s + " over " + keys, ids);
  }

  /**
   * Accesses as YCSB's {@code ScrambledZipfianGenerator} draws them: zipfian over 10^10 items (Gray
   * et al., SIGMOD 1994), hashed by FNV-1a onto {@code keys}. The hash merges many items per key,
   * so this is flatter than {@link #zipf}.
   *
   * @param s skew, above 0 and below 1
   */
  public static Trace scrambledZipf(int keys, double s, int accesses, long seed) {
    double items = 1e10;
    double zeta = zeta(items, s);
    double alpha = 1 / (1 - s);
    double eta = (1 - Math.pow(2 / items, 1 - s)) / (1 - zeta(2, s) / zeta);
    SplittableRandom random = new SplittableRandom(seed);
    int[] ids = new int[accesses];
    for (int i = 0; i < accesses; i++) {
      double u = random.nextDouble();
      double uz = u * zeta;
      long item;
      if (uz < 1) {
        item = 0;
      } else if (uz < 1 + Math.pow(0.5, s)) {
        item = 1;
      } else {
        item = (long) (items * Math.pow(eta * u - eta + 1, alpha));
      }
      ids[i] = (int) (Math.abs(fnv(item)) % keys);
    }
    return new Trace("scrambled zipf " + s + " over " + keys, ids);
  }

  /** Sum of 1/i^s for i up to n: exact to a million, then Euler and Maclaurin's integral. */
  private static double zeta(double n, double s) {
    int exact = (int) Math.min(n, 1_000_000);
    double sum = 0;
    for (int i = 1; i <= exact; i++) {
      sum += Math.pow(i, -s);
    }
    if (n > exact) {
      sum += (Math.pow(n, 1 - s) - Math.pow(exact, 1 - s)) / (1 - s);
      sum += (Math.pow(n, -s) - Math.pow(exact, -s)) / 2;
    }
    return sum;
  }

  private static long fnv(long value) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < 8; i++) {
      hash ^= (value >>> (8 * i)) & 0xFF;
      hash *= 0x100000001B3L;
    }
    return hash;
  }

  /**
   * This trace with its keys on the move: the trace is cut into phases of equal length, and from
   * one to the next every key gives way to the one that lies 1/{@code phases} of all keys further.
   *
   * @param keys number of keys; all of this trace's are 0 to {@code keys} - 1
   */
  public Trace moving(int keys, int phases) {
    int[] moved = ids.clone();
    for (int phase = 1; phase < phases; phase++) {
      long distance = (long) keys * phase / phases;
      for (int i = beginOf(phase, phases); i < beginOf(phase + 1, phases); i++) {
        moved[i] = (int) ((ids[i] + distance) % keys);
      }
    }
    return new Trace(name + " in " + phases + " phases", moved);
  }

  /** What it is, for tables. */
  public String name() {
    return name;
  }

  /** Number of accesses. */
  public int length() {
    return ids.length;
  }

  /** Id of the key accessed at this place, 0 to {@link #length()} - 1. */
  public int keyAt(int index) {
    return ids[index];
  }

  /** Where a part begins when the trace is cut into parts of equal length, counted from 0. */
  public int beginOf(int part, int parts) {
    return (int) ((long) part * ids.length / parts);
  }

  /** Number of different keys. */
  public int distinctKeys() {
    return distinctKeys;
  }
}
