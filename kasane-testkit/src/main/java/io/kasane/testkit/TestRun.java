/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

/**
 * How long a test goes on, and what its random draws begin with: short and always the same where
 * all tests run, long and another part each time in the profile {@code campaign}.
 */
public final class TestRun {
  private static final String SEED = "kasane.seed";
  private static final boolean IS_LONG = Boolean.getBoolean("kasane.campaign");

  private TestRun() {}

  /** What random draws begin with: {@code -Dkasane.seed}, 1 unless told. */
  public static long seed() {
    return Long.getLong(SEED, 1);
  }

  /**
   * How many of what a test repeats.
   *
   * @param property that says it, before all else
   * @param amongAllTests how many where all tests run
   * @param alone how many in a campaign
   */
  public static int size(String property, int amongAllTests, int alone) {
    return Integer.getInteger(property, IS_LONG ? alone : amongAllTests);
  }
}
