/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Mode;
import java.time.Duration;
import java.util.Objects;

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
    int maxFloors) {
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
  }

  /**
   * {@link Mode#FAST}, 1 % false positives, markers checked, drift 30 s, window 60 s, grace 10
   * days, deadline 10 s, 10 rounds, values to 1 MiB, siblings to 64 KiB, 10,000 floors.
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
        10_000);
  }

  /** The same with another {@link #mode}. */
  public RampOptions withMode(Mode mode) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #filterFalsePositives}. */
  public RampOptions withFilterFalsePositives(double filterFalsePositives) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #checkMarkers}. */
  public RampOptions withCheckMarkers(boolean checkMarkers) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #maxClockDrift}. */
  public RampOptions withMaxClockDrift(Duration maxClockDrift) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #gcWindow}. */
  public RampOptions withGcWindow(Duration gcWindow) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #gcGrace}. */
  public RampOptions withGcGrace(Duration gcGrace) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #deadline}. */
  public RampOptions withDeadline(Duration deadline) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #maxRounds}. */
  public RampOptions withMaxRounds(int maxRounds) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #maxValueBytes}. */
  public RampOptions withMaxValueBytes(int maxValueBytes) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #maxSiblingBytes}. */
  public RampOptions withMaxSiblingBytes(int maxSiblingBytes) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  /** The same with another {@link #maxFloors}. */
  public RampOptions withMaxFloors(int maxFloors) {
    return new RampOptions(
        mode,
        filterFalsePositives,
        checkMarkers,
        maxClockDrift,
        gcWindow,
        gcGrace,
        deadline,
        maxRounds,
        maxValueBytes,
        maxSiblingBytes,
        maxFloors);
  }

  private static void atLeast(String name, Duration seen, Duration bound) {
    if (seen.compareTo(bound) < 0) {
      throw new IllegalArgumentException(
          name + " is " + seen + ", the least is " + bound + ": raise it");
    }
  }

  private static void atLeast(String name, int seen, int bound) {
    if (seen < bound) {
      throw new IllegalArgumentException(
          name + " is " + seen + ", the least is " + bound + ": raise it");
    }
  }
}
