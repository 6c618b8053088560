/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.ramp.system.RampSystem;
import io.kasane.bench.ramp.system.TransactionNumbers;
import io.kasane.bench.ramp.system.TransactionSystem;
import io.kasane.bench.rdma.store.StoreMain;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.version.Mode;
import java.time.Duration;
import java.util.List;

/** Ways to run transactions over the paper's store. */
public final class StoreSystems {
  /** RAMP-Fast. */
  public static final String RAMP = "ramp";

  /** Strict two-phase locking. */
  public static final String LOCKS = "s2pl";

  /** No control. */
  public static final String NONE = "none";

  /** All of them. */
  public static final List<String> NAMES = List.of(RAMP, LOCKS, NONE);

  private static final Duration DEADLINE = Duration.ofSeconds(2);

  private StoreSystems() {}

  /** One of that name over a store, which stays the caller's; each has keys of its own. */
  public static TransactionSystem open(
      String name, ShardedStore store, TransactionNumbers numbers) {
    return switch (name) {
      case RAMP -> RampSystem.over(store, RAMP, options(), numbers);
      case LOCKS -> new LockingSystem(store, numbers);
      case NONE -> new PlainSystem(store, numbers);
      default -> throw new IllegalArgumentException(name + " is none of " + NAMES);
    };
  }

  /** As in the paper: no look at what is committed before a put. */
  private static RampOptions options() {
    return shortWindow(RampOptions.defaults().withMode(Mode.FAST).withCheckMarkers(false));
  }

  /** What is overwritten is collected while a turn runs. */
  public static RampOptions shortWindow(RampOptions options) {
    return options.withDeadline(DEADLINE).withGcWindow(StoreMain.WINDOW);
  }
}
