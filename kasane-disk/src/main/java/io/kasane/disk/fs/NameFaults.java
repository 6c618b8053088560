/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.fs;

import io.kasane.disk.Device;
import io.kasane.disk.FileRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Lets requests about names fail where a fault of their disk says so. What an operating system
 * refuses without asking the disk is left to it: a directory that is there already, a name that is
 * not. Paths are real ones. Thread-safe.
 */
final class NameFaults {
  private final Function<Path, Optional<Device>> deviceOf;

  NameFaults(Function<Path, Optional<Device>> deviceOf) {
    this.deviceOf = deviceOf;
  }

  void beforeOpen(Path file, Set<? extends OpenOption> options) throws IOException {
    boolean writes =
        options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    if (!writes || !mayFail(file)) {
      return;
    }
    boolean creates =
        options.contains(StandardOpenOption.CREATE)
            || options.contains(StandardOpenOption.CREATE_NEW);
    boolean empties =
        options.contains(StandardOpenOption.TRUNCATE_EXISTING)
            && !options.contains(StandardOpenOption.CREATE_NEW);
    if (isThere(file) ? empties : creates) {
      check(FileRequest.CREATE, file);
    }
  }

  void beforeCreate(Path name) throws IOException {
    if (mayFail(name) && !isThere(name)) {
      check(FileRequest.CREATE, name);
    }
  }

  void beforeDelete(Path name) throws IOException {
    if (mayFail(name) && isThere(name)) {
      check(FileRequest.DELETE, name);
    }
  }

  void beforeCopy(Path source, Path target) throws IOException {
    if (mayFail(source)) {
      check(FileRequest.READ, source);
    }
    if (mayFail(target)) {
      check(FileRequest.CREATE, target);
      check(FileRequest.WRITE, target);
    }
  }

  void beforeMove(Path from, Path to) throws IOException {
    if ((mayFail(from) || mayFail(to)) && isThere(from)) {
      Optional<Device> old = deviceOf.apply(from);
      if (old.isPresent()) {
        old.get().faults().checkRename(from, to);
      }
      Optional<Device> next = deviceOf.apply(to);
      if (next.isPresent() && !next.equals(old)) {
        next.get().faults().checkRename(from, to);
      }
    }
  }

  private boolean mayFail(Path path) {
    return deviceOf.apply(path).filter(device -> device.faults().areSet()).isPresent();
  }

  private static boolean isThere(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private void check(FileRequest kind, Path path) throws IOException {
    deviceOf.apply(path).orElseThrow().faults().check(kind, path);
  }
}
