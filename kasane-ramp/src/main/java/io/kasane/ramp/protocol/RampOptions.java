/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Mode;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What a client may choose.
 *
 * @param mode what new versions say of their siblings; those of collections are always named
 * @param filterFalsePositives how often a filter of {@link Mode#HYBRID} may err, above 0 and below
 *     1
 * @param checkMarkers whether a put makes sure that its timestamp is above what was committed
 * @param maxClockDrift how far the timestamps of others may be ahead of this machine's clock
 * @param gcWindow how long an overwritten version is kept for readers that demand it
 * @param gcGrace how long the marker of a deleted key is kept
 * @param deadline how long a get or put may take; under half of {@code gcWindow}
 * @param maxRounds how many rounds a get may need before it is given up
 * @param maxValueBytes the largest value
 * @param maxSiblingBytes the most bytes that the names of a transaction's keys may take in a
 *     version
 * @param maxFloors how many keys a session remembers
 * @param maxWaitingBytes how much memory may be taken by overwritten versions that wait to be
 *     collected, and by deletions that wait to be purged; what finds none stays in the store until
 *     its key is written, or read, again
 */
public record RampOptions(
    Mode mode,
    double filterFalsePositives,
    boolean checkMarkers,
    Duration maxClockDrift,
    Duration gcWindow,
    Duration gcGrace,
    Duration deadline,
    int maxRounds,
    int maxValueBytes,
    int maxSiblingBytes,
    int maxFloors,
    long maxWaitingBytes) {
  private static final int SHARE_OF_HEAP = 8;

  /** Refuses in words what cannot be. */
  public RampOptions {
    Objects.requireNonNull(mode);
    if (!(filterFalsePositives > 0 && filterFalsePositives < 1)) {
      throw new IllegalArgumentException(
          "filterFalsePositives is "
              + filterFalsePositives
              + ", not above 0 and below 1; take 0.01");
    }
    atLeast("maxClockDrift", maxClockDrift, Duration.ZERO);
    atLeast("gcWindow", gcWindow, Duration.ofMillis(1));
    atLeast("gcGrace", gcGrace, gcWindow);
    atLeast("deadline", deadline, Duration.ofMillis(1));
    if (deadline.multipliedBy(2).compareTo(gcWindow) >= 0) {
      throw new IllegalArgumentException(
          "deadline is "
              + deadline
              + ", not under half of gcWindow, which is "
              + gcWindow
              + ": a reader could lose what it is about to read; shorten deadline or lengthen"
              + " gcWindow");
    }
    atLeast("maxRounds", maxRounds, 3);
    atLeast("maxValueBytes", maxValueBytes, 1);
    atLeast("maxSiblingBytes", maxSiblingBytes, 1);
    atLeast("maxFloors", maxFloors, 1);
    atLeast("maxWaitingBytes", maxWaitingBytes, 1 << 16);
  }

  /**
   * {@link Mode#FAST}, 1 % false positives, markers checked, drift 30 s, window 60 s, grace 10
   * days, deadline 10 s, 10 rounds, values to 1 MiB, siblings to 64 KiB, 10,000 floors, an eighth
   * of the heap for what waits.
   */
  public static RampOptions defaults() {
    return new RampOptions(
        Mode.FAST,
        0.01,
        true,
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofDays(10),
        Duration.ofSeconds(10),
        10,
        1 << 20,
        1 << 16,
        10_000,
        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /** The same with another {@link #mode}. */
  public RampOptions withMode(Mode mode) {
    return with(values -> values.mode = mode);
  }

  /** The same with another {@link #filterFalsePositives}. */
  public RampOptions withFilterFalsePositives(double filterFalsePositives) {
    return with(values -> values.filterFalsePositives = filterFalsePositives);
  }

  /** The same with another {@link #checkMarkers}. */
  public RampOptions withCheckMarkers(boolean checkMarkers) {
    return with(values -> values.checkMarkers = checkMarkers);
  }

  /** The same with another {@link #maxClockDrift}. */
  public RampOptions withMaxClockDrift(Duration maxClockDrift) {
    return with(values -> values.maxClockDrift = maxClockDrift);
  }

  /** The same with another {@link #gcWindow}. */
  public RampOptions withGcWindow(Duration gcWindow) {
    return with(values -> values.gcWindow = gcWindow);
  }

  /** The same with another {@link #gcGrace}. */
  public RampOptions withGcGrace(Duration gcGrace) {
    return with(values -> values.gcGrace = gcGrace);
  }

  /** The same with another {@link #deadline}. */
  public RampOptions withDeadline(Duration deadline) {
    return with(values -> values.deadline = deadline);
  }

  /** The same with another {@link #maxRounds}. */
  public RampOptions withMaxRounds(int maxRounds) {
    return with(values -> values.maxRounds = maxRounds);
  }

  /** The same with another {@link #maxValueBytes}. */
  public RampOptions withMaxValueBytes(int maxValueBytes) {
    return with(values -> values.maxValueBytes = maxValueBytes);
  }

  /** The same with another {@link #maxSiblingBytes}. */
  public RampOptions withMaxSiblingBytes(int maxSiblingBytes) {
    return with(values -> values.maxSiblingBytes = maxSiblingBytes);
  }

  /** The same with another {@link #maxFloors}. */
  public RampOptions withMaxFloors(int maxFloors) {
    return with(values -> values.maxFloors = maxFloors);
  }

  /** The same with another {@link #maxWaitingBytes}. */
  public RampOptions withMaxWaitingBytes(long maxWaitingBytes) {
    return with(values -> values.maxWaitingBytes = maxWaitingBytes);
  }

  private RampOptions with(Consumer<Values> change) {
    Values values = new Values();
    values.mode = mode;
    values.filterFalsePositives = filterFalsePositives;
    values.checkMarkers = checkMarkers;
    values.maxClockDrift = maxClockDrift;
    values.gcWindow = gcWindow;
    values.gcGrace = gcGrace;
    values.deadline = deadline;
    values.maxRounds = maxRounds;
    values.maxValueBytes = maxValueBytes;
    values.maxSiblingBytes = maxSiblingBytes;
    values.maxFloors = maxFloors;
    values.maxWaitingBytes = maxWaitingBytes;
    change.accept(values);
    return new RampOptions(
        values.mode,
        values.filterFalsePositives,
        values.checkMarkers,
        values.maxClockDrift,
        values.gcWindow,
        values.gcGrace,
        values.deadline,
        values.maxRounds,
        values.maxValueBytes,
        values.maxSiblingBytes,
        values.maxFloors,
        values.maxWaitingBytes);
  }

  /** The options while one of them is changed. */
  private static final class Values {
    private Mode mode;
    private double filterFalsePositives;
    private boolean checkMarkers;
    private Duration maxClockDrift;
    private Duration gcWindow;
    private Duration gcGrace;
    private Duration deadline;
    private int maxRounds;
    private int maxValueBytes;
    private int maxSiblingBytes;
    private int maxFloors;
    private long maxWaitingBytes;
  }

  private static void atLeast(String name, Duration seen, Duration bound) {
    if (seen.compareTo(bound) < 0) {
      throw new IllegalArgumentException(
          name + " is " + seen + ", the least is " + bound + ": raise it");
    }
  }

  private static void atLeast(String name, long seen, long bound) {
    if (seen < bound) {
      throw new IllegalArgumentException(
          name + " is " + seen + ", the least is " + bound + ": raise it");
    }
  }
}
