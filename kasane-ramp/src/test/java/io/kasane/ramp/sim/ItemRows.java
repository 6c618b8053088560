/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The rows of one item at one replica, as Cassandra merges them: what a replica holds, what a
 * mutation writes, and what read repair and repair send are all such rows, and applying one is
 * {@link #merge}. Immutable.
 *
 * <p>Kind 0 is one row with one cell, written at the microsecond of its version; a deletion of that
 * row hides cells that are not newer, and between cells of one microsecond the larger bytes win,
 * which begin with the timestamp. Kind 1 has a row for each prepared version; a range tombstone up
 * to a version is written at the microsecond of that version, so it hides exactly what is not above
 * it. Read repair spreads single rows' deletions.
 */
final class ItemRows {
  static final ItemRows EMPTY =
      new ItemRows(null, 0, Long.MIN_VALUE, new Version[0], null, new Timestamp[0]);

  private static final Version[] NO_VERSIONS = {};
  private static final Timestamp[] NO_TIMESTAMPS = {};

  /** The cell of kind 0, null where there is none. */
  private final Version committed;

  /** When that cell was written. */
  private final long committedMicros;

  /** When the row of kind 0 was deleted. */
  private final long deletedMicros;

  private final Version[] prepared;

  /** Prepared versions up to this one are deleted; null where none are. */
  private final Timestamp collectedUpTo;

  private final Timestamp[] deletedRows;

  private ItemRows(
      Version committed,
      long committedMicros,
      long deletedMicros,
      Version[] prepared,
      Timestamp collectedUpTo,
      Timestamp[] deletedRows) {
    this.committed = committed;
    this.committedMicros = committedMicros;
    this.deletedMicros = deletedMicros;
    this.prepared = prepared;
    this.collectedUpTo = collectedUpTo;
    this.deletedRows = deletedRows;
  }

  static ItemRows ofPrepared(Version version) {
    return new ItemRows(null, 0, Long.MIN_VALUE, new Version[] {version}, null, NO_TIMESTAMPS);
  }

  /**
   * The mutation of a COMMIT.
   *
   * @param micros the cell's write time
   */
  static ItemRows ofCommitted(Version version, long micros) {
    return new ItemRows(version, micros, Long.MIN_VALUE, NO_VERSIONS, null, NO_TIMESTAMPS);
  }

  static ItemRows ofCollected(Timestamp upTo) {
    return new ItemRows(null, 0, Long.MIN_VALUE, NO_VERSIONS, upTo, NO_TIMESTAMPS);
  }

  static ItemRows ofPurged(Timestamp deletion) {
    return new ItemRows(null, 0, deletion.micros(), NO_VERSIONS, deletion, NO_TIMESTAMPS);
  }

  /** The deletion of one prepared version, written at its microsecond. */
  static ItemRows ofDropped(Timestamp timestamp) {
    return new ItemRows(null, 0, Long.MIN_VALUE, NO_VERSIONS, null, new Timestamp[] {timestamp});
  }

  Version committed() {
    return committed;
  }

  /** The prepared version of that timestamp, null where there is none. */
  Version prepared(Timestamp timestamp) {
    for (Version version : prepared) {
      if (version.timestamp().equals(timestamp)) {
        return version;
      }
    }
    return null;
  }

  /** Whether it deletes the row of kind 0, whatever it puts there besides. */
  boolean deletesMarker() {
    return deletedMicros != Long.MIN_VALUE;
  }

  List<Timestamp> preparedTimestamps() {
    List<Timestamp> timestamps = new ArrayList<>(prepared.length);
    for (Version version : prepared) {
      timestamps.add(version.timestamp());
    }
    return timestamps;
  }

  /** What a query of the marker sees, with the deletions that concern it. */
  ItemRows markerOnly() {
    return new ItemRows(
        committed, committedMicros, deletedMicros, NO_VERSIONS, null, NO_TIMESTAMPS);
  }

  /** What a query of marker and candidates sees, with the deletions that concern them. */
  ItemRows markerAnd(Set<Timestamp> wanted) {
    Version[] found = new Version[wanted.size()];
    Timestamp[] deleted = new Timestamp[wanted.size()];
    int founds = 0;
    int deletes = 0;
    for (Timestamp timestamp : wanted) {
      Version version = prepared(timestamp);
      if (version != null) {
        found[founds++] = version;
      } else if (hides(timestamp)) {
        deleted[deletes++] = timestamp;
      }
    }
    return new ItemRows(
        committed,
        committedMicros,
        deletedMicros,
        Arrays.copyOf(found, founds),
        null,
        Arrays.copyOf(deleted, deletes));
  }

  /** After Cassandra's own grace: the deletions are forgotten. */
  ItemRows withoutTombstones() {
    return new ItemRows(committed, committedMicros, Long.MIN_VALUE, prepared, null, NO_TIMESTAMPS);
  }

  ItemRows merge(ItemRows other) {
    if (other == this || other == EMPTY) {
      return this;
    }
    long deletion = Math.max(deletedMicros, other.deletedMicros);
    boolean takeOther = isNewerCell(other);
    Version winner = takeOther ? other.committed : committed;
    long winnerMicros = takeOther ? other.committedMicros : committedMicros;
    if (winner != null && winnerMicros <= deletion) {
      winner = null;
      winnerMicros = 0;
    }
    Timestamp upTo = later(collectedUpTo, other.collectedUpTo);
    Timestamp[] rows = union(deletedRows, other.deletedRows, upTo);
    return new ItemRows(
        winner, winnerMicros, deletion, alive(prepared, other.prepared, upTo, rows), upTo, rows);
  }

  private boolean isNewerCell(ItemRows other) {
    if (other.committed == null || committed == null) {
      return committed == null;
    }
    return other.committedMicros != committedMicros
        ? other.committedMicros > committedMicros
        : other.committed.timestamp().isAfter(committed.timestamp());
  }

  private static Timestamp later(Timestamp one, Timestamp other) {
    return one == null ? other : other == null ? one : one.max(other);
  }

  private boolean hides(Timestamp timestamp) {
    return isHidden(timestamp, collectedUpTo, deletedRows);
  }

  private static boolean isHidden(Timestamp timestamp, Timestamp upTo, Timestamp[] rows) {
    return (upTo != null && !timestamp.isAfter(upTo)) || contains(rows, timestamp);
  }

  private static boolean contains(Timestamp[] rows, Timestamp timestamp) {
    for (Timestamp row : rows) {
      if (row.equals(timestamp)) {
        return true;
      }
    }
    return false;
  }

  private static Timestamp[] union(Timestamp[] one, Timestamp[] other, Timestamp upTo) {
    if (one.length + other.length == 0) {
      return NO_TIMESTAMPS;
    }
    Timestamp[] all = new Timestamp[one.length + other.length];
    int size = 0;
    for (Timestamp[] part : new Timestamp[][] {one, other}) {
      for (Timestamp row : part) {
        if (!isHidden(row, upTo, Arrays.copyOf(all, size))) {
          all[size++] = row;
        }
      }
    }
    return Arrays.copyOf(all, size);
  }

  private static Version[] alive(Version[] one, Version[] other, Timestamp upTo, Timestamp[] rows) {
    if (one.length + other.length == 0) {
      return NO_VERSIONS;
    }
    Version[] all = new Version[one.length + other.length];
    int size = 0;
    for (Version version : one) {
      if (!isHidden(version.timestamp(), upTo, rows)) {
        all[size++] = version;
      }
    }
    for (Version version : other) {
      if (!isHidden(version.timestamp(), upTo, rows) && !holds(one, version.timestamp())) {
        all[size++] = version;
      }
    }
    return size == all.length ? all : Arrays.copyOf(all, size);
  }

  private static boolean holds(Version[] versions, Timestamp timestamp) {
    for (Version version : versions) {
      if (version.timestamp().equals(timestamp)) {
        return true;
      }
    }
    return false;
  }

  /** Whether this has all that the other has, so that it need not be sent. */
  boolean covers(ItemRows other) {
    if (deletedMicros < other.deletedMicros) {
      return false;
    }
    if (other.committed != null
        && (committed == null || !committed.timestamp().equals(other.committed.timestamp()))) {
      return false;
    }
    for (Version version : other.prepared) {
      if (!holds(prepared, version.timestamp())) {
        return false;
      }
    }
    for (Timestamp row : other.deletedRows) {
      if (!hides(row)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(committed == null ? "-" : committed.timestamp());
    for (Version version : prepared) {
      text.append(" p").append(version.timestamp());
    }
    if (collectedUpTo != null) {
      text.append(" c").append(collectedUpTo);
    }
    if (deletedMicros != Long.MIN_VALUE) {
      text.append(" d").append(deletedMicros);
    }
    return text.toString();
  }
}
