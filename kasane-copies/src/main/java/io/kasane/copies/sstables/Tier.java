/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.Locale;

/** Which disk a row lives on. */
public enum Tier {
  FAST,
  SLOW;

  /** The name that operators see. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
