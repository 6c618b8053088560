/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.node.NodeEngine;
import io.kasane.engine.spi.EngineUsage;
import java.util.Optional;

/** One engine as the views show it: a reading at the time of each call, of no engine's own. */
final class EngineReport {
  private final NodeEngine engine;
  private final SizeCache<?> known;

  EngineReport(NodeEngine engine, SizeCache<?> known) {
    this.engine = engine;
    this.known = known;
  }

  NodeEngine engine() {
    return engine;
  }

  Outage outage() {
    return Outage.of(engine.reads().state(), engine.writes().state());
  }

  /** Whether reads, writes or both go without it now. */
  boolean isOut() {
    return outage().reason() != null;
  }

  /** As last known; empty if the engine never said. */
  Optional<EngineUsage> usage() {
    return known.usage();
  }
}
