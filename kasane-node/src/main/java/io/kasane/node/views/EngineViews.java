/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;

/** Queries one node's virtual tables about its storage engines. */
public final class EngineViews {
  private final NodeViews node;

  /** Prepares to ask the node at the given CQL address. */
  public EngineViews(CqlSession session, String host, int port) {
    this.node = new NodeViews(session, host, port);
  }

  /** Returns the node's engines. */
  public List<EngineView> engines() {
    return node.rows("engines", "", EngineView::of);
  }

  /** Returns the tables and indexes that have rows in an engine, or may get some. */
  public List<EngineTableView> tables() {
    return node.rows("engine_tables", "", EngineTableView::of);
  }
}
