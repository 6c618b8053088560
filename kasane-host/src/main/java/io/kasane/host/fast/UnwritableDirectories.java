/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import java.lang.reflect.Field;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.DisallowedDirectories;
import org.apache.cassandra.io.util.File;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks directories as {@link DisallowedDirectories} does, but says nothing: Cassandra warns of
 * each as of a failed disk, and there is one for every table.
 */
final class UnwritableDirectories {
  private static final Logger logger = LoggerFactory.getLogger(UnwritableDirectories.class);
  private static final Optional<Internals> INTERNALS = internals();

  private UnwritableDirectories() {}

  /** Cassandra's own set of marked directories, and the counter by which others see changes. */
  private record Internals(Set<File> marked, AtomicInteger version) {}

  /** Keeps Cassandra's writers out of a directory from now on. */
  static void mark(File directory) {
    if (INTERNALS.isEmpty()) {
      DisallowedDirectories.maybeMarkUnwritable(directory);
    } else if (INTERNALS.get().marked().add(directory)) {
      INTERNALS.get().version().incrementAndGet();
    }
  }

  @SuppressWarnings("unchecked") // a set of files in all of 5.0, and checked by the test
  private static Optional<Internals> internals() {
    try {
      Object instance = field("instance").get(null);
      return Optional.of(
          new Internals(
              (Set<File>) field("unwritableDirectories").get(instance),
              (AtomicInteger) field("directoriesVersion").get(null)));
    } catch (ReflectiveOperationException | RuntimeException e) {
      logger.info(
          "This Cassandra warns of each directory that is Kasane's ('Disallowing ... for writes'):"
              + " {}",
          e.toString());
      return Optional.empty();
    }
  }

  private static Field field(String name) throws NoSuchFieldException {
    Field field = DisallowedDirectories.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
