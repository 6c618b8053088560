/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.cli.output.TextTable;
import io.kasane.node.ByteSize;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import io.kasane.node.Sessions;
import io.kasane.node.views.EngineTableView;
import io.kasane.node.views.EngineView;
import io.kasane.node.views.EngineViews;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How the storage engines of nodes stand, as text. */
final class EngineStatus {
  private final TextTable table =
      new TextTable("NODE", "ENGINE", "STATE", "USED", "TABLES", "WAITING", "PATH");
  private final List<String> remarks = new ArrayList<>();
  private boolean hasEngines;

  /** Asks a node that answers. */
  void ask(NodeSettings node) {
    try (CqlSession session = Sessions.open(node.address(), node.nativePort())) {
      EngineViews views = new EngineViews(session, node.address(), node.nativePort());
      add(node.index(), views.engines(), views.tables());
    } catch (NodeException | DriverException e) {
      remarks.add("Node " + node.index() + " does not tell of its engines: " + e.getMessage());
    }
  }

  /** Adds what a node told. */
  void add(int node, List<EngineView> engines, List<EngineTableView> tables) {
    add(Integer.toString(node), engines, tables);
  }

  /** The same, of a node that is called by its address. */
  void add(String node, List<EngineView> engines, List<EngineTableView> tables) {
    engines.stream()
        .sorted(Comparator.comparing(EngineView::engine))
        .forEach(
            engine ->
                add(
                    node,
                    engine,
                    tables.stream().filter(one -> one.engine().equals(engine.engine())).toList()));
  }

  private void add(String node, EngineView engine, List<EngineTableView> tables) {
    hasEngines = true;
    int waiting = tables.stream().mapToInt(EngineTableView::waitingSSTables).sum();
    table.row(
        node,
        engine.engine(),
        state(engine),
        engine.diskBytes().isPresent() ? new ByteSize(engine.diskBytes().getAsLong()).human() : "-",
        Long.toString(tables.stream().filter(one -> one.index().isEmpty()).count()),
        Integer.toString(waiting),
        engine.directory());
    engine
        .outReason()
        .ifPresent(
            reason ->
                remarks.add(
                    String.format(
                        "%s on node %s has been out for %d s: %s",
                        engine.engine(), node, engine.outSeconds(), reason)));
    tables.stream()
        .mapToLong(EngineTableView::oldestWaitingSeconds)
        .max()
        .ifPresent(
            seconds -> {
              if (waiting > 0) {
                remarks.add(
                    String.format(
                        "%d SSTables wait to move into %s on node %s, the oldest is %d s old",
                        waiting, engine.engine(), node, seconds));
              }
            });
  }

  private static String state(EngineView engine) {
    if (!engine.isOpen()) {
      return "not open";
    }
    if (engine.takesWrites()) {
      return engine.answersReads() ? "works" : "no reads";
    }
    return engine.answersReads() ? "no writes" : "out";
  }

  boolean isEmpty() {
    return !hasEngines && remarks.isEmpty();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(hasEngines ? table.toString() : "");
    remarks.forEach(remark -> text.append(remark).append(System.lineSeparator()));
    return text.toString();
  }
}
