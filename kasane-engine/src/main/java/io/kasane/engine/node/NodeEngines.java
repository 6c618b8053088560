/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.ledger.EngineLedger;
import io.kasane.engine.spi.EngineException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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

  /** What is to be removed from engines. */
  private final Map<Key, StoredTable> dropped = new ConcurrentHashMap<>();

  /** Tables that were opened since the node started. */
  private final Set<TableId> opened = ConcurrentHashMap.newKeySet();

  private volatile boolean hadTablesAtStart;

  private record Key(String engine, TableName table) {}

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

  /** Whether all of them answer reads. */
  public boolean areAllRead() {
    return engines.values().stream().allMatch(engine -> engine.reads().isClosed());
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
    UUID id = table.id.asUUID();
    while (true) {
      long incarnation = ledger.incarnation(id);
      boolean wasMarked = ledger.enginesOf(id).contains(engine);
      EngineLedger.Use use = ledger.mark(id, engine);
      StoredTable stored = stored(engine, table, incarnation, wasMarked);
      if (isStill(incarnation, id, List.of(stored))) {
        stored.opened(use);
        return new Writable(stored, use);
      }
      use.close();
    }
  }

  /** Whether a table was not dropped meanwhile; what was made for one that was is garbage. */
  private boolean isStill(long incarnation, UUID id, List<StoredTable> made) {
    if (ledger.incarnation(id) == incarnation) {
      return true;
    }
    tables.forEach(
        (key, table) -> {
          if (made.contains(table) && tables.remove(key, table)) {
            dropped.put(key, table);
          }
        });
    return false;
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
    UUID id = table.id.asUUID();
    while (true) {
      long incarnation = ledger.incarnation(id);
      List<StoredTable> found =
          ledger.enginesOf(id).stream()
              .filter(engine -> !engine.equals(but))
              .map(engine -> stored(engine, table, incarnation, true))
              .toList();
      if (isStill(incarnation, id, found)) {
        return found;
      }
    }
  }

  private StoredTable stored(
      String engine, TableMetadata table, long incarnation, boolean mayHaveRows) {
    TableName name = new TableName(table.id.asUUID(), incarnation, table.indexName().orElse(""));
    return tables.computeIfAbsent(
        new Key(engine, name), key -> new StoredTable(engine(engine), name, mayHaveRows));
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

  /**
   * A table is opened, before its first memtable is made.
   *
   * @param isStarting whether the node is still starting
   * @throws java.io.UncheckedIOException if it cannot be remembered that rows are another table's
   */
  public void opening(TableId id, boolean isStarting) {
    boolean isNew = opened.add(id);
    if (isStarting) {
      hadTablesAtStart = true;
    } else if (isNew && hadTablesAtStart && !ledger.enginesOf(id.asUUID()).isEmpty()) {
      // What has rows was not in the schema at the start: it was dropped, and this is another one.
      dropped(id);
    }
  }

  /**
   * A table was dropped: nothing of it is ever seen again, and {@link #removeDropped} removes it
   * from the engines. Waits for no engine.
   *
   * @throws java.io.UncheckedIOException if it cannot be remembered
   */
  public void dropped(TableId id) {
    opened.remove(id); // if it cannot be remembered, then when a table is made with the id
    renew(id);
  }

  /**
   * What engines have of a table is nothing of it any more, and {@link #removeDropped} removes it:
   * it goes on as another one, when it has another memtable. Waits for no engine.
   *
   * @throws java.io.UncheckedIOException if it cannot be remembered
   */
  public void renew(TableId id) {
    List<StoredTable> all = of(id);
    if (!all.isEmpty() || !ledger.enginesOf(id.asUUID()).isEmpty()) {
      ledger.dropped(id.asUUID());
      tables.forEach(
          (key, table) -> {
            if (table.id().equals(id)
                && key.table.incarnation() < ledger.incarnation(id.asUUID())
                && tables.remove(key, table)) {
              dropped.put(key, table);
            }
          });
    }
  }

  /** Whether nobody dropped or truncated a table away: what is written to it is seen. */
  public boolean isCurrent(StoredTable table) {
    return tables.containsValue(table);
  }

  /** Returns the tables that an engine has, or may have, and of which nobody knows. */
  public Set<TableId> unknown(NodeEngine engine, Predicate<TableId> isKnown) {
    Set<TableId> unknown = new HashSet<>();
    ledger
        .all()
        .forEach(
            (table, marked) -> {
              if (marked.contains(engine.name())) {
                unknown.add(TableId.fromUUID(table));
              }
            });
    unknown.removeIf(isKnown);
    for (TableName name : names(engine)) {
      TableId id = TableId.fromUUID(name.table());
      if (!isGone(engine, name) && !isKnown.test(id)) {
        unknown.add(id);
      }
    }
    return unknown;
  }

  /**
   * Removes from an engine what dropped tables left there.
   *
   * @param most how long to wait for what still writes to one, or copies it
   * @return what is gone
   * @throws EngineException if one cannot be removed yet
   */
  public List<String> removeDropped(NodeEngine engine, Duration most) {
    List<TableName> there = names(engine);
    Set<TableName> gone = new LinkedHashSet<>(there);
    gone.removeIf(name -> !isGone(engine, name));
    for (Key key : dropped.keySet()) {
      if (key.engine.equals(engine.name())) {
        gone.add(key.table); // also if nothing came: its last memtable could write yet
      }
    }
    for (TableName name : gone) {
      Key key = new Key(engine.name(), name);
      StoredTable table = dropped.computeIfAbsent(key, k -> new StoredTable(engine, name, true));
      table.alone(most, () -> table.remove(most));
      dropped.remove(key, table);
    }
    gone.retainAll(there);
    return gone.stream().map(TableName::toString).toList();
  }

  private static List<TableName> names(NodeEngine engine) {
    return engine.open().tables().stream().flatMap(name -> TableName.parse(name).stream()).toList();
  }

  private boolean isGone(NodeEngine engine, TableName name) {
    return name.incarnation() < ledger.incarnation(name.table())
        && !tables.containsKey(new Key(engine.name(), name));
  }

  /**
   * Forgets tables that were dropped, of which no engine has anything any more.
   *
   * @param isKnown whether the schema has a table, to be asked before the engines are
   */
  public void forgetDropped(Predicate<TableId> isKnown) {
    Set<UUID> gone = new HashSet<>(ledger.dropped());
    gone.removeIf(id -> isKnown.test(TableId.fromUUID(id)) || !ledger.enginesOf(id).isEmpty());
    for (NodeEngine engine : engines.values()) {
      if (gone.isEmpty() || !engine.isOpen()) {
        return;
      }
      names(engine).forEach(name -> gone.remove(name.table()));
    }
    gone.forEach(ledger::forget);
  }
}
