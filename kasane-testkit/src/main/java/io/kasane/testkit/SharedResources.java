/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * What test classes of one JVM share, such as a node: opened by the first class that asks for it,
 * closed after the last one. JUnit's root store does not do for that, since it ends with each class
 * where tests have several JVMs. Thread-safe.
 */
public final class SharedResources implements LauncherSessionListener {
  private static final Map<Class<?>, AutoCloseable> OPEN = new HashMap<>();
  private static final Deque<AutoCloseable> LAST_OPENED_FIRST = new ArrayDeque<>();

  /** Returns the one of that type; opens it if there is none yet. */
  public static <T extends AutoCloseable> T get(Class<T> type, Supplier<T> open) {
    synchronized (OPEN) {
      AutoCloseable found = OPEN.get(type);
      if (found == null) {
        found = open.get();
        OPEN.put(type, found);
        LAST_OPENED_FIRST.push(found);
      }
      return type.cast(found);
    }
  }

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    synchronized (OPEN) {
      OPEN.clear();
      while (!LAST_OPENED_FIRST.isEmpty()) {
        close(LAST_OPENED_FIRST.pop());
      }
    }
  }

  /** The tests are over: what cannot be closed must not keep the others open. */
  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      System.err.println("SharedResources: " + resource + " was not closed: " + e);
    }
  }
}
