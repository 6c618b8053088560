/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

/** An engine could not do what it was asked for. What was applied before holds. */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Kind kind;

  /** What is to be done about it. */
  public enum Kind {
    /** There is no room; more room, or fewer rows, mends it. */
    FULL,
    /** What it holds cannot be read. */
    CORRUPT,
    /** It was closed, or the table was dropped. */
    CLOSED,
    /** Its server does not answer, whatever is asked: nobody need try until it does. */
    UNREACHABLE,
    /** What a snapshot saw is gone: what reads from it is to be done again. */
    STALE,
    /** Anything else: the disk, or the engine itself. */
    FAILED
  }

  public EngineException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public EngineException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  private EngineException(String message) {
    super(message, null, false, false);
    this.kind = Kind.FAILED;
  }

  /** One that nobody needs to know the place of: it comes with each read while an engine is out. */
  public static EngineException out(String message) {
    return new EngineException(message);
  }

  public Kind kind() {
    return kind;
  }
}
