/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.internals;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which threads are inside of a method of Cassandra's that says so nowhere else. To look stops the
 * threads for a moment: not for what happens often. Thread-safe.
 */
public final class Callers {
  private Callers() {}

  /** A method; a constructor is called {@code <init>}. */
  public record Method(Class<?> of, String name) {
    private boolean is(StackTraceElement frame) {
      return frame.getMethodName().equals(name) && frame.getClassName().equals(of.getName());
    }
  }

  /** Whether the calling thread is inside of a method. */
  public static boolean isWithin(Method method) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> method.is(frame.toStackTraceElement())));
  }

  /** Whether a thread is inside of a method now. */
  public static boolean isWithin(Thread thread, Method method) {
    return Arrays.stream(thread.getStackTrace()).anyMatch(method::is);
  }

  /** Returns the threads that are inside of one of some methods now. */
  public static Set<Thread> within(Collection<Method> methods) {
    Set<Thread> found = new HashSet<>();
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      if (Arrays.stream(thread.getValue())
          .anyMatch(frame -> methods.stream().anyMatch(method -> method.is(frame)))) {
        found.add(thread.getKey());
      }
    }
    return found;
  }
}
