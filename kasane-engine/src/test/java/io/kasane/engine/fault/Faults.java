/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What is wrong with an engine now, by one word in a file that a test writes: {@code throw}, {@code
 * throw-writes}, {@code full}, {@code hang}, {@code hang-writes}, {@code hang-reads}, {@code
 * hang-walks} for cursors, {@code hang-sync}, {@code hang-after-drop}, {@code throw-sync}, {@code
 * slow-reads}, {@code slow-walks}, {@code full-tables} where one more is asked for. No file, no
 * fault. What hangs goes on when the word is another one.
 *
 * <p>{@code fail MoveOut} lets reads fail that have the class on their stack.
 *
 * <p>{@code corrupt Amy} makes values unreadable that have the text.
 *
 * <p>{@code kill MoveIn after-sync} kills the process, as kill -9 does, at the first such step that
 * has the class on its stack. The steps: {@code before-} and {@code after-} one of {@code apply},
 * {@code sync}, {@code drop}, and {@code walk}, an entry of a cursor.
 */
final class Faults {
  /** The system property that names the file. */
  static final String FILE_PROPERTY = "kasane.fault_file";

  private static final String KILL = "kill ";
  private static final String FAIL = "fail ";
  private static final String CORRUPT = "corrupt ";

  /** No value begins with it. */
  private static final byte[] UNREADABLE = {-1};

  /** What a shell says of a process that kill -9 ended. */
  private static final int KILLED = 137;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final Path FILE = Path.of(System.getProperty(FILE_PROPERTY, "no-fault"));
  private static volatile String word = "";
  private static volatile long lookedNanos = System.nanoTime() - 2 * LOOK_NANOS;

  private Faults() {}

  static void onRead() {
    String now = now();
    if (now.startsWith(FAIL) && isOnStack(now.substring(FAIL.length()))) {
      throw new EngineException(Kind.FAILED, "broken, by fault injection");
    }
    on("reads", now);
  }

  /** A table that may not be there yet. */
  static void onTable(BooleanSupplier isThere) {
    onRead();
    if (now().equals("full-tables") && !isThere.getAsBoolean()) {
      throw new EngineException(Kind.FULL, "no room for a table, by fault injection");
    }
  }

  /** What is read of a value, which may be null. */
  static byte[] value(byte[] stored) {
    String now = now();
    boolean isCorrupt =
        stored != null
            && now.startsWith(CORRUPT)
            && new String(stored, ISO_8859_1).contains(now.substring(CORRUPT.length()));
    return isCorrupt ? UNREADABLE : stored;
  }

  private static void onWrite() {
    String now = now();
    if (now.equals("full")) {
      throw new EngineException(Kind.FULL, "full, by fault injection");
    }
    on("writes", now);
  }

  static void onWalk() {
    String now = now();
    on("walks", now);
    killAt("walk", now);
  }

  /** A write, and the steps around it. */
  static void around(String step, Runnable write) {
    onWrite();
    on(step, now());
    killAt("before-" + step, now());
    write.run();
    on("after-" + step, now());
    killAt("after-" + step, now());
  }

  private static void killAt(String step, String now) {
    if (now.startsWith(KILL) && now.endsWith(" " + step)) {
      if (isOnStack(now.substring(KILL.length(), now.lastIndexOf(' ')))) {
        Runtime.getRuntime().halt(KILLED);
      }
    }
  }

  private static boolean isOnStack(String simpleName) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + simpleName)));
  }

  private static void on(String what, String now) {
    if (now.equals("throw") || now.equals("throw-" + what)) {
      throw new EngineException(Kind.FAILED, "broken, by fault injection");
    }
    if (now.equals("slow-" + what)) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    if (now.equals("hang") || now.equals("hang-" + what)) {
      while (now().equals(now)) {
        LockSupport.parkNanos(LOOK_NANOS); // not ended by an interrupt, as native code is not
      }
    }
  }

  private static String now() {
    long nanos = System.nanoTime();
    if (nanos - lookedNanos > LOOK_NANOS) {
      lookedNanos = nanos;
      try {
        word = Files.exists(FILE) ? Files.readString(FILE).strip() : "";
      } catch (IOException e) {
        word = ""; // it has just gone
      }
    }
    return word;
  }
}
