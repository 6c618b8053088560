/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import org.HdrHistogram.Histogram;

/**
 * What a run of transactions saw.
 *
 * @param seconds how long it took
 * @param readTimes of each read that was answered, in nanoseconds
 * @param writeTimes of each write that was acknowledged, in nanoseconds
 * @param rounds that all reads needed together
 * @param secondRounds reads that needed more than one
 * @param fracturedReads reads that showed halves
 * @param incompleteReads reads in which a key was missing, though all were written
 * @param failed transactions that got an error or no answer
 * @param firstFailure in words, or null
 */
public record RunResult(
    double seconds,
    Histogram readTimes,
    Histogram writeTimes,
    long rounds,
    long secondRounds,
    long fracturedReads,
    long incompleteReads,
    long failed,
    String firstFailure) {
  /** Both runs as one. */
  public RunResult plus(RunResult other) {
    return new RunResult(
        seconds + other.seconds,
        sum(readTimes, other.readTimes),
        sum(writeTimes, other.writeTimes),
        rounds + other.rounds,
        secondRounds + other.secondRounds,
        fracturedReads + other.fracturedReads,
        incompleteReads + other.incompleteReads,
        failed + other.failed,
        firstFailure == null ? other.firstFailure : firstFailure);
  }

  private static Histogram sum(Histogram one, Histogram other) {
    Histogram both = one.copy();
    both.add(other);
    return both;
  }

  /** How many reads were answered. */
  public long reads() {
    return readTimes.getTotalCount();
  }

  /** How many writes were acknowledged. */
  public long writes() {
    return writeTimes.getTotalCount();
  }

  /** Transactions a second, failed ones not among them. */
  public double throughput() {
    return (reads() + writes()) / seconds;
  }

  /** Rounds that a read needed, mean; NaN if there was none. */
  public double roundsPerRead() {
    return rounds / (double) reads();
  }

  /** The share of the reads that needed more than one round; NaN if there was none. */
  public double secondRoundShare() {
    return secondRounds / (double) reads();
  }
}
