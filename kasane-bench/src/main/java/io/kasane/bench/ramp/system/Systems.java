/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.bench.ramp.system.TwoPhaseLocking.ReadLocks;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.history.History;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.version.Mode;
import java.time.Duration;
import java.util.List;

/** The systems by name, over tables of one keyspace. */
public final class Systems {
  /** No control at all. */
  public static final String NONE = "none";

  /** A logged batch, read key by key. */
  public static final String LOGGED_BATCH = "logged-batch";

  /** An unlogged batch, read with one query. */
  public static final String UNLOGGED_BATCH = "unlogged-batch";

  /** Conditional writes. */
  public static final String LWT = "lwt";

  /** RAMP-Fast. */
  public static final String RAMP_FAST = "ramp-fast";

  /** All names, in the order in which they are reported. */
  public static final List<String> NAMES =
      List.of(
          NONE,
          UNLOGGED_BATCH,
          LOGGED_BATCH,
          LWT,
          "s2pl-ru",
          "s2pl-rc",
          "s2pl-rr",
          RAMP_FAST,
          "ramp-small",
          "ramp-hybrid");

  /**
   * What plain reads and writes are compared with by latency. {@code apart}: each key in requests
   * of its own, as where no two of them have the same replicas.
   */
  public static final List<String> COST =
      List.of(
          NONE,
          UNLOGGED_BATCH,
          LOGGED_BATCH,
          "s2pl-rr",
          RAMP_FAST,
          "ramp-fast-unchecked",
          "ramp-fast-apart",
          "ramp-fast-apart-unchecked");

  /** Layouts of RAMP's table without the protocol: whole versions committed, or their names. */
  public static final List<String> LAYOUTS = List.of("layout-whole", "layout-marker");

  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final CqlStoreOptions TOGETHER = CqlStoreOptions.defaults();
  private static final CqlStoreOptions APART = TOGETHER.withBatches(1, TOGETHER.maxBatchBytes());

  private final CqlSession session;
  private final String keyspace;
  private final RampOptions ramp;
  private final TransactionNumbers numbers = new TransactionNumbers();

  /**
   * Systems that share a session, which stays the caller's.
   *
   * @param ramp what RAMP clients may do, their mode aside
   */
  public Systems(CqlSession session, String keyspace, RampOptions ramp) {
    this.session = session;
    this.keyspace = keyspace;
    this.ramp = ramp;
  }

  /** Whether reads of a system are never halves, by what it promises. */
  public static boolean promisesAtomicReads(String name) {
    return isRamp(name) || name.equals("s2pl-rr");
  }

  private static boolean isRamp(String name) {
    return name.startsWith("ramp-");
  }

  /**
   * Starts a system over a table that it makes if it is missing.
   *
   * @param name one of {@link #NAMES}, {@link #COST} or {@link #LAYOUTS}
   */
  public TransactionSystem open(String name, String table) {
    String qualified = keyspace + "." + table;
    return switch (name) {
      case NONE -> new NoControl(session, qualified, numbers);
      case UNLOGGED_BATCH -> new Batches(session, qualified, BatchType.UNLOGGED, numbers);
      case LOGGED_BATCH -> new Batches(session, qualified, BatchType.LOGGED, numbers);
      case LWT -> new LightweightTransactions(session, qualified, numbers);
      case "s2pl-ru" -> locking(qualified, ReadLocks.NONE);
      case "s2pl-rc" -> locking(qualified, ReadLocks.SHORT);
      case "s2pl-rr" -> locking(qualified, ReadLocks.LONG);
      case RAMP_FAST -> ramp(table, ramp.withMode(Mode.FAST), TOGETHER);
      case "ramp-fast-unchecked" -> ramp(table, unchecked(), TOGETHER);
      case "ramp-fast-apart" -> ramp(table, ramp.withMode(Mode.FAST), APART);
      case "ramp-fast-apart-unchecked" -> ramp(table, unchecked(), APART);
      case "ramp-small" -> ramp(table, ramp.withMode(Mode.SMALL), TOGETHER);
      case "ramp-hybrid" -> ramp(table, ramp.withMode(Mode.HYBRID), TOGETHER);
      case "layout-whole" -> new LayoutCost(session, qualified, true, numbers);
      case "layout-marker" -> new LayoutCost(session, qualified, false, numbers);
      default -> throw new IllegalArgumentException(name + " is none of " + NAMES);
    };
  }

  /**
   * Starts a system whose clients' reads and writes become a history, complete once it is closed.
   *
   * @param history two files that are overwritten
   */
  public TransactionSystem open(String name, String table, History history) {
    return new RecordedSystem(open(name, table), history, numbers);
  }

  private TransactionSystem locking(String qualified, ReadLocks locks) {
    return new TwoPhaseLocking(session, qualified, locks, LEASE, numbers);
  }

  private RampOptions unchecked() {
    return ramp.withMode(Mode.FAST).withCheckMarkers(false);
  }

  private TransactionSystem ramp(String table, RampOptions options, CqlStoreOptions store) {
    return RampSystem.open(session, keyspace, table, options, store, numbers);
  }

  /** How many versions a key has, mean of the keys 0 to {@code sample - 1}. */
  public double versionsPerKey(String name, String table, int sample) {
    if (!isRamp(name)) {
      return 1;
    }
    PreparedStatement count =
        session.prepare("SELECT count(*) FROM " + keyspace + "." + table + " WHERE partition = ?");
    long rows = 0;
    for (int key = 0; key < sample; key++) {
      rows += session.execute(count.bind(RampSystem.partition(key))).one().getLong(0);
    }
    return rows / (double) sample;
  }
}
