/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

/** Ids of keys that a test counts: heat looks at the upper 38 bits of an id. */
public final class Ids {
  private Ids() {}

  /** The id of the {@code n}th key, which may be less than 0. */
  public static long id(long n) {
    return n << 26;
  }
}
