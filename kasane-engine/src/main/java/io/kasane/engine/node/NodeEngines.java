/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.ledger.EngineLedger;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The engines of this node, and which tables may have rows in which. Thread-safe; nothing here
 * waits for an engine but {@link #open}.
 */
public final class NodeEngines {
  private final Map<String, NodeEngine> engines;
  private final EngineLedger ledger;
  private final Map<Key, StoredTable> tables = new ConcurrentHashMap<>();

  private record Key(String engine, String table) {}

  /** The engines of a node, by their names. */
  NodeEngines(Map<String, NodeEngine> engines, EngineLedger ledger) {
    this.engines = Map.copyOf(engines);
    this.ledger = ledger;
  }

  /** Opens all, and waits for each no longer than {@code most}. */
  public void open(Duration most) {
    engines.values().forEach(engine -> engine.open(most));
  }

  public Collection<NodeEngine> engines() {
    return engines.values();
  }

  public EngineLedger ledger() {
    return ledger;
  }

  /** Looks for what hangs, and tries engines that are out; to be called each second. */
  public void look() {
    engines.values().forEach(NodeEngine::look);
  }

  /**
   * Returns the engine of that name.
   *
   * @throws IllegalStateException if the node has none; its start should have been refused
   */
  public NodeEngine engine(String name) {
    return Optional.ofNullable(engines.get(name))
        .orElseThrow(() -> new IllegalStateException("this node has no engine " + name));
  }

  /**
   * Marks that a table has rows in an engine, and returns where they are.
   *
   * @throws java.io.UncheckedIOException if that cannot be marked: nothing may be stored then
   */
  public Writable writable(String engine, TableMetadata table) {
    boolean wasMarked = ledger.enginesOf(table.id.asUUID()).contains(engine);
    EngineLedger.Use use = ledger.mark(table.id.asUUID(), engine);
    StoredTable stored = stored(engine, table, wasMarked);
    stored.opened(use);
    return new Writable(stored, use);
  }

  /** Where a table's rows are to be written; to be closed when nothing more is written. */
  public record Writable(StoredTable table, EngineLedger.Use use) implements AutoCloseable {
    @Override
    public void close() {
      table.closed(use);
    }
  }

  /** Returns what other engines than {@code but} may have of a table. */
  public List<StoredTable> elsewhere(TableMetadata table, String but) {
    return ledger.enginesOf(table.id.asUUID()).stream()
        .filter(engine -> !engine.equals(but))
        .map(engine -> stored(engine, table, true))
        .toList();
  }

  private StoredTable stored(String engine, TableMetadata table, boolean mayHaveRows) {
    String name = StoredTable.nameOf(table);
    return tables.computeIfAbsent(
        new Key(engine, name), key -> new StoredTable(engine(engine), table.id, name, mayHaveRows));
  }

  /** Returns all that engines may have of a table and its indexes. */
  public List<StoredTable> of(TableId id) {
    return tables.values().stream().filter(table -> table.id().equals(id)).toList();
  }

  /** Returns all tables that were met since the node started. */
  public Collection<StoredTable> tables() {
    return List.copyOf(tables.values());
  }

  /**
   * Clears the mark that an engine has rows of a table and its indexes, if it has none and nobody
   * can have written any since it was seen not to.
   *
   * @return whether it is cleared
   */
  public boolean clearMark(TableId id, NodeEngine engine) {
    return ledger.clear(
        id.asUUID(),
        engine.name(),
        () ->
            of(id).stream()
                .filter(table -> table.engine() == engine)
                .noneMatch(StoredTable::mayHaveRows));
  }

  /** Whether an engine may have rows of a table. */
  public boolean isMarked(StoredTable table) {
    return ledger.enginesOf(table.id().asUUID()).contains(table.engine().name());
  }

  /** Forgets a table that was dropped, when no engine has rows of it. */
  public void forget(TableId dropped) {
    List<StoredTable> all = of(dropped);
    if (all.stream().noneMatch(StoredTable::mayHaveRows)) {
      ledger.forgetIndexBuild(dropped.asUUID());
      for (StoredTable table : all) {
        ledger.drop(dropped.asUUID(), table.engine().name());
        tables.remove(new Key(table.engine().name(), table.name()), table);
      }
    }
  }
}
