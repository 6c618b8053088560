/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import java.util.function.Supplier;

/**
 * Knows whether a thread runs the body of a read transaction. What the session reads or writes
 * there would leave the transaction without a word, and happen again when the body is run again.
 */
final class WithinTransaction {
  private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

  private WithinTransaction() {}

  static <T> T run(Supplier<T> body) {
    boolean before = INSIDE.get();
    INSIDE.set(true);
    try {
      return body.get();
    } finally {
      INSIDE.set(before);
    }
  }

  static void refuse(String what) {
    if (INSIDE.get()) {
      throw new IllegalStateException(
          what
              + " within a read transaction is no part of it: read by way of the reader that the"
              + " function is given, and write after the transaction");
    }
  }
}
