/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The faults of one disk. Without any, a request costs one look at a field. Thread-safe.
 *
 * <p>A request that fails does nothing. Of several faults that a request matches, all count it, and
 * the one that was set first decides how it fails.
 */
public final class Faults {
  private final Path directory;

  /** By their numbers; null while there are none. Replaced and never changed. */
  private volatile Map<Long, Fault> faults;

  private long last;

  /** The faults of the disk that a directory lies on. */
  Faults(Path directory) {
    this.directory = directory;
  }

  /** Adds a fault and returns its number. */
  synchronized long add(Fault fault) {
    Map<Long, Fault> more = new TreeMap<>(faults == null ? Map.of() : faults);
    more.put(++last, fault);
    faults = more;
    return last;
  }

  /** Returns whether there are any. */
  public boolean areSet() {
    return faults != null;
  }

  /** Lets all requests succeed again, and forgets what was counted. */
  void clear() {
    faults = null;
  }

  /** Returns a fault that was set and not cleared since. */
  Fault get(long number) {
    Map<Long, Fault> now = faults;
    Fault fault = now == null ? null : now.get(number);
    if (fault == null) {
      throw new IllegalArgumentException(
          "fault "
              + number
              + " is not set, or was cleared; set are "
              + (now == null ? "none" : now.keySet()));
    }
    return fault;
  }

  /**
   * To be called before each request.
   *
   * @param path the real path of the file, on this disk
   * @throws IOException if the request fails; it must not be carried out
   */
  public void check(FileRequest kind, Path path) throws IOException {
    if (faults != null) {
      check(kind, path, null);
    }
  }

  /**
   * To be called before a name becomes another one. One of them may lie on another disk.
   *
   * @throws IOException if that fails; it must not be carried out
   */
  public void checkRename(Path from, Path to) throws IOException {
    if (faults != null) {
      check(FileRequest.RENAME, from, to);
    }
  }

  private void check(FileRequest kind, Path path, Path other) throws IOException {
    Map<Long, Fault> now = faults;
    if (now == null) {
      return;
    }
    String name = relative(path);
    String otherName = other == null ? null : relative(other);
    DiskError error = null;
    for (Fault fault : now.values()) {
      if (fault.strikes(kind, name, otherName) && error == null) {
        error = fault.error();
      }
    }
    if (error != null) {
      throw kind.failure(path.toString(), other == null ? null : other.toString(), error.reason());
    }
  }

  private String relative(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    return absolute.startsWith(directory)
        ? directory.relativize(absolute).toString()
        : absolute.toString();
  }
}
