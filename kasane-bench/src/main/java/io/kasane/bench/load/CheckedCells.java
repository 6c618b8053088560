/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * What every cell of the table must hold. A cell's text carries its row, field and version, so a
 * read is right if its version is no older than the last one acknowledged before the read began, no
 * newer than the last one sent, and the text is that version's to the last character. Where one of
 * several replicas answers, it may lag behind: an older version is then stale, not wrong.
 */
public final class CheckedCells {
  /** Characters of a cell, as in YCSB. */
  public static final int CELL_LENGTH = 100;

  private static final int NUMBER_LENGTH = 12;
  private static final String FILLER = filler();

  private final int fields;
  private final AtomicIntegerArray sent;
  private final AtomicIntegerArray acknowledged;
  private final boolean replicasMayLag;
  private final LongAdder wrong = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final AtomicReference<String> firstProblem = new AtomicReference<>();

  /** All cells hold version 0, and the newest one must be read. */
  public CheckedCells(int rows, int fields) {
    this(rows, fields, false);
  }

  /**
   * All cells hold version 0.
   *
   * @param replicasMayLag whether reads and writes each wait for one of several replicas
   */
  public CheckedCells(int rows, int fields, boolean replicasMayLag) {
    this.fields = fields;
    this.replicasMayLag = replicasMayLag;
    this.sent = new AtomicIntegerArray(rows * fields);
    this.acknowledged = new AtomicIntegerArray(rows * fields);
  }

  /** Letters that no compressor makes much smaller. */
  private static String filler() {
    StringBuilder text = new StringBuilder();
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < 1 << 16; i++) {
      text.append((char) (' ' + 1 + random.nextInt(90)));
    }
    return text.toString();
  }

  /** Returns the text of one version of a cell. */
  public static String text(int row, int field, int version) {
    long number = ((long) row * 31 + field) * 1_000_003L + version;
    String head = Long.toString(number, 36);
    int start = fillerStart(number);
    return "0".repeat(NUMBER_LENGTH - head.length())
        + head
        + FILLER.substring(start, start + CELL_LENGTH - NUMBER_LENGTH);
  }

  private static int fillerStart(long number) {
    return (int) Math.floorMod(number * 0x9E3779B97F4A7C15L, (long) FILLER.length() - CELL_LENGTH);
  }

  /** Returns the version of the next update of the cell. */
  public int nextVersion(int row, int field) {
    return sent.incrementAndGet(row * fields + field);
  }

  /** Notes that an update was acknowledged. */
  public void acknowledge(int row, int field, int version) {
    acknowledged.accumulateAndGet(row * fields + field, version, Math::max);
  }

  /** Returns, field by field, the oldest versions that a read beginning now may return. */
  public int[] oldestAllowed(int row) {
    int[] versions = new int[fields];
    for (int field = 0; field < fields; field++) {
      versions[field] = acknowledged.get(row * fields + field);
    }
    return versions;
  }

  /** Checks one cell of an answer; what is wrong or stale is counted. */
  public void check(int row, int field, int oldestAllowed, String text) {
    boolean right = checkNewest(row, field, replicasMayLag ? 0 : oldestAllowed, text);
    if (right && versionIn(row, field, text) < oldestAllowed) {
      stale.increment();
    }
  }

  /** Checks one cell of an answer of all replicas together; returns whether it is right. */
  boolean checkNewest(int row, int field, int oldestAllowed, String text) {
    int newest = sent.get(row * fields + field);
    int version = text == null ? -1 : versionIn(row, field, text);
    boolean right =
        version >= oldestAllowed && version <= newest && text.equals(text(row, field, version));
    if (!right) {
      wrong.increment();
      firstProblem.compareAndSet(
          null,
          "row "
              + row
              + ", field "
              + field
              + ": read '"
              + text
              + "', expected version "
              + oldestAllowed
              + " to "
              + newest);
    }
    return right;
  }

  /** Notes a row that the replicas could not be asked for: anything may be wrong with it. */
  void unread(int row, String why) {
    wrong.increment();
    firstProblem.compareAndSet(null, "row " + row + " could not be read: " + why);
  }

  private static int versionIn(int row, int field, String text) {
    try {
      long number = Long.parseLong(text.substring(0, NUMBER_LENGTH), 36);
      return (int) (number - ((long) row * 31 + field) * 1_000_003L);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return -1;
    }
  }

  /** Returns how many cells were older than a write that had been acknowledged, as is allowed. */
  public long stale() {
    return stale.sum();
  }

  /** Returns how many cells were wrong. */
  public long wrong() {
    return wrong.sum();
  }

  /** Returns the first wrong cell in words, or null. */
  public String firstProblem() {
    return firstProblem.get();
  }
}
