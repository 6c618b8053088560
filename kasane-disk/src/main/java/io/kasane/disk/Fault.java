/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which requests of a disk fail, and how. It counts those that match it, whether they fail or not.
 * Thread-safe.
 */
final class Fault {
  /** How many requests a fault remembers; more are counted only. */
  static final int REMEMBERED_REQUESTS = 10_000;

  /** As the number of requests that fail: all, for as long as the fault is there. */
  static final long ALL = -1;

  private final Set<FileRequest> kinds;
  private final Pattern files;
  private final long first;
  private final long count;
  private final DiskError error;
  private final List<String> requests = new ArrayList<>();
  private long matched;
  private long failed;

  /**
   * A fault.
   *
   * @param files matches the whole path of a file, relative to the disk's directory
   * @param first the first request to fail, of those that match; 1 is the next
   * @param count how many fail from that on; 0 for none, {@link #ALL}
   */
  Fault(Set<FileRequest> kinds, Pattern files, long first, long count, DiskError error) {
    if (first < 1) {
      throw new IllegalArgumentException("first is " + first + "; need at least 1, the next one");
    }
    if (count < ALL) {
      throw new IllegalArgumentException(
          "count is " + count + "; need at least 0 (none), or " + ALL + " for all");
    }
    if (error == DiskError.ENOSPC && kinds.contains(FileRequest.READ)) {
      throw new IllegalArgumentException("ENOSPC: no READ fails so; take EIO, or other requests");
    }
    this.kinds = kinds;
    this.files = files;
    this.first = first;
    this.count = count;
    this.error = error;
  }

  /**
   * Reads a fault from plain words.
   *
   * @param kinds names of {@link FileRequest}, with commas between
   * @param error the name of a {@link DiskError}
   */
  static Fault parse(String kinds, String files, long first, long count, String error) {
    Set<FileRequest> parsed = EnumSet.noneOf(FileRequest.class);
    for (String kind : kinds.split(",", -1)) {
      parsed.add(named(FileRequest.class, "requests", kind));
    }
    return new Fault(
        parsed, Pattern.compile(files), first, count, named(DiskError.class, "error", error));
  }

  private static <E extends Enum<E>> E named(Class<E> type, String what, String name) {
    try {
      return Enum.valueOf(type, name.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + ": '" + name + "'; need " + EnumSet.allOf(type), e);
    }
  }

  DiskError error() {
    return error;
  }

  /**
   * Counts a request if it matches, and returns whether it fails.
   *
   * @param other the new path of a renamed file, which may match as well as the old one; else null
   */
  synchronized boolean strikes(FileRequest kind, String path, String other) {
    boolean matches =
        files.matcher(path).matches() || (other != null && files.matcher(other).matches());
    if (!kinds.contains(kind) || !matches) {
      return false;
    }
    matched++;
    boolean fails = matched >= first && (count == ALL || matched - first < count);
    if (fails) {
      failed++;
    }
    if (requests.size() < REMEMBERED_REQUESTS) {
      requests.add(
          kind + " " + path + (other == null ? "" : " -> " + other) + (fails ? " failed" : ""));
    }
    return fails;
  }

  synchronized long matched() {
    return matched;
  }

  synchronized long failed() {
    return failed;
  }

  /**
   * The requests that matched, first to last: {@code WRITE ks/table-id/nb-1-big-Data.db failed}.
   */
  synchronized List<String> requests() {
    return List.copyOf(requests);
  }
}
