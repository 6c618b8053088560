/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

/**
 * What became of reads that ask nobody, in keys.
 *
 * @param hits read whole
 * @param misses without a slot
 * @param torn written all the time, or damaged: never believed
 * @param silent of a server that was not heard of lately
 * @param asked on purpose, so that servers know what is read
 */
public record OneSided(long hits, long misses, long torn, long silent, long asked) {
  /** None. */
  public static final OneSided NONE = new OneSided(0, 0, 0, 0, 0);

  /** What came since. */
  public OneSided since(OneSided before) {
    return new OneSided(
        hits - before.hits,
        misses - before.misses,
        torn - before.torn,
        silent - before.silent,
        asked - before.asked);
  }

  /** Both together. */
  public OneSided plus(OneSided other) {
    return new OneSided(
        hits + other.hits,
        misses + other.misses,
        torn + other.torn,
        silent + other.silent,
        asked + other.asked);
  }

  /** Keys that servers were asked for. */
  public long fallbacks() {
    return misses + torn + silent + asked;
  }

  /** The share of the keys that nobody was asked for; 0 where there were none. */
  public double share() {
    long all = hits + fallbacks();
    return all == 0 ? 0 : hits / (double) all;
  }
}
