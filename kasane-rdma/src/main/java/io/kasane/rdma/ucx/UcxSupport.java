/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.ucx;

import java.util.Optional;

/** Whether OpenUCX can be used here, told without touching it where it cannot. */
public final class UcxSupport {
  private static final String SIGNALS = "UCX_HANDLE_ERRORS";
  private static Optional<String> answer;

  private UcxSupport() {}

  /**
   * Why it cannot be used, with what to do; empty if it can.
   *
   * <p>Its signal handlers must be off before it is loaded: the JVM's own need those signals.
   */
  public static synchronized Optional<String> whyNot() {
    if (answer == null) {
      answer = tried();
    }
    return answer;
  }

  /**
   * The same, and whether memory can be read by it. To be asked before anything else is done by
   * OpenUCX in this process.
   */
  public static synchronized Optional<String> whyNotMemory() {
    try {
      Ucx.wantMemory();
      return whyNot();
    } catch (IllegalStateException e) {
      return Optional.of(e.getMessage());
    } catch (LinkageError e) {
      return whyNot();
    }
  }

  private static Optional<String> tried() {
    if (!"none".equals(System.getenv(SIGNALS))) {
      return Optional.of(SIGNALS + "=none is not in the environment of this process: set it");
    }
    try {
      var unused = Ucx.context();
      return Optional.empty();
    } catch (LinkageError | RuntimeException e) {
      return Optional.of(
          "jucx 1.18.1 is not on the class path, or libucp of OpenUCX 1.18 not on"
              + " -Djava.library.path, which is "
              + System.getProperty("java.library.path")
              + ": "
              + e);
    }
  }
}
