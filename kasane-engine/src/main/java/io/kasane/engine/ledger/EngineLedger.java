/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.ledger;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Remembers in a file of its own which tables may have rows in which engines. A table is marked
 * before an engine gets its first row, and cleared when the engine was seen to have none: so rows
 * are found after an ALTER, a kill behind it, or a line that went from cassandra.yaml. No call
 * waits for an engine while another one needs the ledger. Thread-safe.
 *
 * <pre>
 * kasane-engines 1
 * TABLE ENGINE          a line each: the table's id; the engine's name, _index_build, or _dropped_N
 * crc32 XXXXXXXX        of all bytes before it
 * </pre>
 */
public final class EngineLedger {
  private static final String FIRST_LINE = "kasane-engines 1";
  private static final Pattern ENGINE = Pattern.compile("[a-z0-9-][a-z0-9_-]{0,31}");

  /** Stands where an engine does, and cannot be one's name. */
  private static final String INDEX_BUILD = "_index_build";

  /** The same, with how often a table of that id was dropped. */
  private static final String DROPPED = "_dropped_";

  private final CheckedLines file;
  private final Map<Mark, Users> users = new HashMap<>();
  private Map<UUID, Set<String>> enginesByTable;

  /** The file may be newer than what is in memory: it is written whatever the memory says. */
  private boolean isUncertain;

  private record Mark(UUID table, long incarnation, String engine) {}

  /** Who may write, and how many ever could. */
  private static final class Users {
    private int open;
    private long ever;
  }

  /** Keeps a mark while rows may be written; to be closed when no more will be. */
  public final class Use implements AutoCloseable {
    private final Users of;
    private boolean closed;

    private Use(Users of) {
      this.of = of;
    }

    @Override
    public void close() {
      synchronized (EngineLedger.this) {
        if (!closed) {
          closed = true;
          of.open--;
        }
      }
    }
  }

  private EngineLedger(CheckedLines file, Map<UUID, Set<String>> enginesByTable) {
    this.file = file;
    this.enginesByTable = enginesByTable;
  }

  /**
   * Reads what was marked before; nothing if there is no such file yet.
   *
   * @throws EngineException if it cannot be read: a node must not start then, since rows may lie
   *     where nobody would look for them
   */
  public static EngineLedger open(Path path) {
    CheckedLines file = new CheckedLines(path, FIRST_LINE);
    try {
      return new EngineLedger(file, parse(file.read()));
    } catch (IOException | IllegalArgumentException e) {
      throw new EngineException(
          Kind.CORRUPT,
          "cannot read "
              + path
              + ", which says which tables have rows in a storage engine: "
              + e.getMessage()
              + ". Restore the file from a backup of this node; without it, rows in an engine may not"
              + " be found",
          e);
    }
  }

  private static Map<UUID, Set<String>> parse(List<String> lines) {
    Map<UUID, Set<String>> engines = new TreeMap<>();
    for (String line : lines) {
      int space = line.indexOf(' ');
      if (space < 0) {
        throw new IllegalArgumentException("a line has no engine");
      }
      engines
          .computeIfAbsent(UUID.fromString(line.substring(0, space)), id -> new TreeSet<>())
          .add(line.substring(space + 1));
    }
    return engines;
  }

  /**
   * Marks that an engine may have rows of a table: when this returns, a crash of the machine does
   * not change it, and it cannot be cleared until what is returned is closed.
   *
   * @throws UncheckedIOException if it cannot be written; then the engine must get none
   */
  public synchronized Use mark(UUID table, String engine) {
    if (!ENGINE.matcher(engine).matches()) {
      throw new IllegalArgumentException("an engine cannot be called '" + engine + "'");
    }
    if (isUncertain || !enginesOf(table).contains(engine)) {
      Map<UUID, Set<String>> next = copy();
      next.computeIfAbsent(table, id -> new TreeSet<>()).add(engine);
      store(next);
    }
    Users of =
        users.computeIfAbsent(new Mark(table, incarnation(table), engine), mark -> new Users());
    of.open++;
    of.ever++;
    return new Use(of);
  }

  /**
   * Clears a mark if the engine has no rows of the table, and nobody could have written any since
   * that was asked.
   *
   * @param hasNone asks the engine; marks may be made meanwhile
   * @return whether it is cleared
   */
  public boolean clear(UUID table, String engine, BooleanSupplier hasNone) {
    Mark mark = new Mark(table, incarnation(table), engine);
    long before;
    synchronized (this) {
      if (!isUncertain && !enginesOf(table).contains(engine)) {
        return true;
      }
      Users of = users.getOrDefault(mark, new Users());
      if (of.open > 0) {
        return false;
      }
      before = of.ever;
    }
    if (!hasNone.getAsBoolean()) {
      return false;
    }
    synchronized (this) {
      Users of = users.getOrDefault(mark, new Users());
      if (of.open > 0 || of.ever != before) {
        return false;
      }
      storeWithout(table, engine);
      return true;
    }
  }

  /** Returns how often a table of that id was dropped: what engines have of before is garbage. */
  public synchronized long incarnation(UUID table) {
    for (String mark : enginesByTable.getOrDefault(table, Set.of())) {
      if (mark.startsWith(DROPPED)) {
        return Long.parseLong(mark.substring(DROPPED.length()));
      }
    }
    return 0;
  }

  /** Returns the tables that were dropped, and not forgotten since. */
  public synchronized Set<UUID> dropped() {
    Set<UUID> dropped = new TreeSet<>(enginesByTable.keySet());
    dropped.removeIf(table -> incarnation(table) == 0);
    return dropped;
  }

  /**
   * A table was dropped: its marks go, and one of the same id is another one. Waits for no engine.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public synchronized void dropped(UUID table) {
    storeIncarnation(table, incarnation(table) + 1, Set.of());
  }

  /** An engine has rows of an incarnation: those of before were dropped. */
  public synchronized void found(UUID table, long incarnation) {
    if (incarnation > incarnation(table)) {
      storeIncarnation(table, incarnation, enginesOf(table));
    }
  }

  private void storeIncarnation(UUID table, long incarnation, Set<String> engines) {
    Map<UUID, Set<String>> next = copy();
    Set<String> marks = new TreeSet<>(engines);
    marks.add(DROPPED + incarnation);
    next.put(table, marks);
    store(next);
  }

  /** Forgets a dropped table of which no engine has anything, if nobody can write to it. */
  public synchronized void forget(UUID table) {
    boolean isInUse =
        users.entrySet().stream()
            .anyMatch(of -> of.getKey().table.equals(table) && of.getValue().open > 0);
    if (!isInUse && enginesOf(table).isEmpty()) {
      Map<UUID, Set<String>> next = copy();
      next.remove(table);
      store(next);
      users.keySet().removeIf(mark -> mark.table.equals(table));
    }
  }

  private void storeWithout(UUID table, String engine) {
    Map<UUID, Set<String>> next = copy();
    next.getOrDefault(table, new TreeSet<>()).remove(engine);
    next.values().removeIf(Set::isEmpty);
    store(next);
  }

  /** Remembers that a table's indexes are to be built from what engines have of it. */
  public synchronized void wantIndexBuild(UUID table) {
    if (isUncertain || !wantsIndexBuild(table)) {
      Map<UUID, Set<String>> next = copy();
      next.computeIfAbsent(table, id -> new TreeSet<>()).add(INDEX_BUILD);
      store(next);
    }
  }

  /** Whether that was remembered, and was not done yet. */
  public synchronized boolean wantsIndexBuild(UUID table) {
    return enginesByTable.getOrDefault(table, Set.of()).contains(INDEX_BUILD);
  }

  /** It is done, or not to be done any more. */
  public synchronized void forgetIndexBuild(UUID table) {
    if (isUncertain || wantsIndexBuild(table)) {
      storeWithout(table, INDEX_BUILD);
    }
  }

  /** Returns the engines that may have rows of a table. */
  public synchronized Set<String> enginesOf(UUID table) {
    return engines(enginesByTable.getOrDefault(table, Set.of()));
  }

  /** Returns the engines of all tables that are marked. */
  public synchronized Map<UUID, Set<String>> all() {
    Map<UUID, Set<String>> all = new TreeMap<>();
    enginesByTable.forEach((table, marks) -> all.put(table, engines(marks)));
    all.values().removeIf(Set::isEmpty);
    return all;
  }

  private static Set<String> engines(Set<String> marks) {
    Set<String> engines = new TreeSet<>(marks);
    engines.removeIf(mark -> mark.startsWith("_"));
    return Collections.unmodifiableSet(engines);
  }

  private Map<UUID, Set<String>> copy() {
    Map<UUID, Set<String>> copy = new TreeMap<>();
    enginesByTable.forEach((table, engines) -> copy.put(table, new TreeSet<>(engines)));
    return copy;
  }

  /** What is in memory follows the disk. */
  private void store(Map<UUID, Set<String>> next) {
    List<String> lines = new ArrayList<>();
    next.forEach((table, marks) -> marks.forEach(mark -> lines.add(table + " " + mark)));
    try {
      file.prepare(lines);
      isUncertain = true;
      file.replace();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file.file(), e);
    }
    isUncertain = false;
    enginesByTable = next;
  }
}
