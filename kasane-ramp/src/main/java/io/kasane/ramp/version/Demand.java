/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

/** Whether a version says that its transaction wrote some other key, too. */
public enum Demand {
  /** It did not. */
  NONE,
  /** It may have: nothing is known of siblings, or a bloom filter says so, which may err. */
  POSSIBLE,
  /** It did. */
  CERTAIN
}
