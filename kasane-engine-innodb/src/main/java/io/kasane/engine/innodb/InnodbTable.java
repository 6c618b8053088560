/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.mariadb.jdbc.Connection;

/** A table of InnoDB, with the key as its primary key. */
final class InnodbTable implements EngineTable {
  /** Up to so many entries are counted, and not estimated. */
  private static final long MAX_COUNTED = 100_000;

  private final InnodbEngine engine;
  private final String name;
  private final long number;
  private final AtomicInteger snapshots = new AtomicInteger();
  private final AtomicBoolean forgotten = new AtomicBoolean();
  private volatile boolean dropped;

  /** Whether a drop has failed that may have been made: the table has no name then. */
  private boolean mayBeUnnamed;

  InnodbTable(InnodbEngine engine, String name, long number) {
    this.engine = engine;
    this.name = name;
    this.number = number;
  }

  String name() {
    return name;
  }

  /** Returns what it is called in statements. */
  String sqlName() {
    return "t_" + number;
  }

  String qualifiedName() {
    return engine.connections().schema() + "." + sqlName();
  }

  String creation() {
    return "CREATE TABLE IF NOT EXISTS "
        + sqlName()
        + " (k VARBINARY("
        + InnodbEngine.KEY_BYTES
        + ") NOT NULL PRIMARY KEY, v LONGBLOB NOT NULL) ENGINE=InnoDB ROW_FORMAT=DYNAMIC";
  }

  void giveName(Connection connection) throws SQLException {
    try (PreparedStatement naming =
        connection.prepareStatement("INSERT INTO tables (number, name) VALUES (?, ?)")) {
      naming.setLong(1, number);
      naming.setBytes(2, name.getBytes(UTF_8));
      naming.execute();
    }
  }

  /** Takes the name from whatever has it. */
  void forgetName(Connection connection) throws SQLException {
    try (PreparedStatement removal =
        connection.prepareStatement("DELETE FROM tables WHERE name = ?")) {
      removal.setBytes(1, name.getBytes(UTF_8));
      removal.execute();
    }
  }

  // ---- reads

  @Override
  public EngineSnapshot snapshot() {
    return engine
        .lifetime()
        .retained(
            () -> {
              snapshots.incrementAndGet();
              try {
                requireThere(); // a drop from now on leaves it what it reads
                return new InnodbSnapshot(this, engine.connections().openSnapshot());
              } catch (RuntimeException | Error e) {
                released();
                throw e;
              }
            });
  }

  /** One statement, which sees one moment; more keys than it takes want a snapshot. */
  @Override
  public List<byte[]> getAll(List<byte[]> keys) {
    if (keys.size() > PointReads.MAX_KEYS) {
      return EngineTable.super.getAll(keys);
    }
    return engine
        .lifetime()
        .call(
            () -> {
              snapshots.incrementAndGet(); // a drop waits
              try {
                requireThere();
                return engine
                    .connections()
                    .read(connection -> PointReads.of(connection, qualifiedName(), keys));
              } finally {
                released();
              }
            });
  }

  void closed(Connection connection) {
    try {
      engine.connections().closeSnapshot(connection);
      released();
    } finally {
      engine.lifetime().released();
    }
  }

  /** A drop of InnoDB would wait for who reads it. */
  private void released() {
    if (snapshots.decrementAndGet() == 0 && dropped) {
      forgetOnce();
    }
  }

  private void forgetOnce() {
    if (forgotten.compareAndSet(false, true)) {
      try {
        engine
            .connections()
            .write(
                connection -> {
                  SqlConnections.execute(connection, "DROP TABLE IF EXISTS " + sqlName());
                  return null;
                });
      } catch (EngineException e) {
        // It has no name, and is looked for when the engine is opened.
      }
    }
  }

  String engineName() {
    return engine.name();
  }

  // ---- changes

  @Override
  public void apply(EngineBatch batch) {
    engine.limits().requireWithin(batch);
    engine.exclusively(
        () -> {
          requireThere();
          if (!batch.isEmpty()) {
            if (!batch.changes().stream().allMatch(EngineBatch.Change::isDelete)) {
              engine.requireRoom(batch);
            }
            apply(TableChanges.of(sqlName(), batch.lastChanges()));
          }
          return null;
        });
  }

  private void apply(List<TableChanges> statements) {
    if (statements.size() == 1 && !mayBeUnnamed) {
      engine.connections().write(statements.get(0)::make);
      return;
    }
    engine
        .connections()
        .change(
            connection -> {
              if (mayBeUnnamed) {
                forgetName(connection);
                giveName(connection);
              }
              for (TableChanges each : statements) {
                each.make(connection);
              }
              return null;
            });
    mayBeUnnamed = false;
  }

  @Override
  public void drop() {
    engine.exclusively(
        () -> {
          requireThere();
          try {
            engine
                .connections()
                .change(
                    connection -> {
                      forgetName(connection);
                      return null;
                    });
          } catch (RuntimeException | Error e) {
            mayBeUnnamed = true;
            throw e;
          }
          dropped = true;
          engine.dropped(this);
          if (snapshots.get() == 0) {
            forgetOnce();
          }
          return null;
        });
  }

  private void requireThere() {
    if (dropped) {
      throw new EngineException(
          Kind.CLOSED, engine.name() + ": the table " + name + " was dropped");
    }
  }

  // ---- size

  @Override
  public Size size() {
    return engine
        .lifetime()
        .call(
            () -> {
              requireThere();
              return engine.connections().write(this::measured);
            });
  }

  private Size measured(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      long entries;
      long bytes;
      try (ResultSet estimate =
          statement.executeQuery(
              "SELECT TABLE_ROWS, DATA_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"
                  + engine.connections().schema()
                  + "' AND TABLE_NAME = '"
                  + sqlName()
                  + "'")) {
        estimate.next();
        entries = estimate.getLong(1);
        bytes = estimate.getLong(2);
      }
      if (entries < MAX_COUNTED) {
        try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM " + sqlName())) {
          count.next();
          entries = count.getLong(1);
        }
      }
      return new Size(entries, bytes);
    }
  }
}
