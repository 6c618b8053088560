/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.engine.spi.CloseGuard;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineLimits;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.mariadb.jdbc.Connection;

/**
 * One MariaDB server. A table is a table of InnoDB by a number, which the table {@code tables} has
 * for its name. This process is the only one that changes them; changes are made one batch at a
 * time.
 */
final class InnodbEngine implements Engine {
  static final int KEY_BYTES = 3_072;
  static final int VALUE_BYTES = 256 << 20;
  private static final int NAME_BYTES = 511;

  /** However much there is to be made good after a crash. */
  private static final Duration MAX_START = Duration.ofHours(6);

  private static final String CREATE_CATALOG =
      "CREATE TABLE IF NOT EXISTS tables (number BIGINT PRIMARY KEY, name VARBINARY("
          + NAME_BYTES
          + ") NOT NULL UNIQUE) ENGINE=InnoDB";

  /** Directories whose server this process has. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final EngineOptions options;
  private final String name;
  private final Path realDirectory;
  private final SqlServer server;
  private final SqlConnections connections;
  private final TableRoom room;
  private final CloseGuard lifetime;
  private final ReentrantLock writer = new ReentrantLock();
  private final Map<String, InnodbTable> tables = new TreeMap<>();
  private long lastNumber;

  private InnodbEngine(
      EngineOptions options,
      String name,
      Path realDirectory,
      SqlServer server,
      SqlConnections connections) {
    this.options = options;
    this.name = name;
    this.realDirectory = realDirectory;
    this.server = server;
    this.connections = connections;
    this.room = new TableRoom(name, server, connections, options.capacityBytes());
    this.lifetime = new CloseGuard(name);
  }

  /**
   * Opens it.
   *
   * @param program of its own server; not called for an operator's
   * @param maxCall how long a call of the server may take
   */
  static InnodbEngine open(
      Supplier<MariadbProgram> program, EngineOptions options, Duration maxCall) {
    String name =
        options
            .server()
            .map(server -> "InnoDB at " + server)
            .orElse("InnoDB in " + options.directory());
    try {
      SqlServer server =
          options.server().isPresent()
              ? new OperatorMariadb(options.server().get(), options)
              : new MariadbServer(program.get(), options);
      Path directory = Files.createDirectories(options.directory()).toRealPath();
      if (!OPEN.add(directory)) {
        throw new EngineException(Kind.FAILED, name + " is open already");
      }
      try {
        SqlConnections connections = new SqlConnections(name, server, maxCall, MAX_START);
        InnodbEngine engine = new InnodbEngine(options, name, directory, server, connections);
        try {
          connections.write(engine::load);
        } catch (RuntimeException | Error e) {
          connections.close();
          throw e;
        }
        return engine;
      } catch (RuntimeException | Error e) {
        server.close();
        OPEN.remove(directory);
        throw e;
      }
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, name + ": " + e, e);
    }
  }

  private Void load(Connection connection) throws SQLException {
    SqlConnections.execute(connection, CREATE_CATALOG);
    try (Statement statement = connection.createStatement()) {
      try (ResultSet all = statement.executeQuery("SELECT number, name FROM tables")) {
        while (all.next()) {
          String table = new String(all.getBytes(2), UTF_8);
          tables.put(table, new InnodbTable(this, table, all.getLong(1)));
          lastNumber = Math.max(lastNumber, all.getLong(1));
        }
      }
    }
    for (String table : tablesWithoutName(connection)) {
      SqlConnections.execute(connection, "DROP TABLE IF EXISTS " + table);
    }
    return null;
  }

  /** Of tables that somebody read when they were dropped, or that were not yet given a name. */
  private Set<String> tablesWithoutName(Connection connection) throws SQLException {
    Set<String> found = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet all = statement.executeQuery("SHOW TABLES LIKE 't\\_%'")) {
      while (all.next()) {
        found.add(all.getString(1));
      }
    }
    tables.values().forEach(table -> found.remove(table.sqlName()));
    return found;
  }

  @Override
  public EngineLimits limits() {
    return new EngineLimits(KEY_BYTES, VALUE_BYTES);
  }

  @Override
  public EngineTable table(String table) {
    byte[] utf8 = table.getBytes(UTF_8);
    if (utf8.length == 0 || utf8.length > NAME_BYTES) {
      throw new IllegalArgumentException(
          "a table's name has " + utf8.length + " bytes, and must have 1 to " + NAME_BYTES);
    }
    return exclusively(
        () -> {
          InnodbTable found = tables.get(table);
          if (found == null) {
            found = create(table);
            tables.put(table, found);
          }
          return found;
        });
  }

  /** Its name may have come with a change that had no answer: it has no rows then. */
  private InnodbTable create(String table) {
    InnodbTable created = new InnodbTable(this, table, ++lastNumber);
    connections.write(
        connection -> {
          SqlConnections.execute(connection, created.creation());
          return null;
        });
    connections.change(
        connection -> {
          created.forgetName(connection);
          created.giveName(connection);
          return null;
        });
    return created;
  }

  @Override
  public Set<String> tables() {
    return exclusively(() -> new TreeSet<>(tables.keySet()));
  }

  /** Calls with the writer's lock, while the engine is open. */
  <T> T exclusively(Supplier<T> call) {
    return lifetime.call(
        () -> {
          writer.lock();
          try {
            return call.get();
          } finally {
            writer.unlock();
          }
        });
  }

  /** Only for who holds the writer's lock. */
  void requireRoom(EngineBatch batch) {
    room.require(batch);
  }

  /** Only for who holds the writer's lock: it has no name from now on. */
  void dropped(InnodbTable table) {
    tables.remove(table.name());
  }

  SqlConnections connections() {
    return connections;
  }

  CloseGuard lifetime() {
    return lifetime;
  }

  String name() {
    return name;
  }

  /** What was committed is on the disk, or with the operating system, as the server was told. */
  @Override
  public void sync() {
    lifetime.run(
        () ->
            connections.write(
                connection -> {
                  SqlConnections.execute(connection, "DO 1");
                  return null;
                }));
  }

  @Override
  public EngineUsage usage() {
    int count = tables().size();
    return lifetime.call(
        () ->
            new EngineUsage(
                server.diskBytes(connections),
                options.capacityBytes(),
                options.memoryBytes(),
                count));
  }

  @Override
  public void close() {
    lifetime.close(
        () -> {
          connections.close();
          OPEN.remove(realDirectory);
        });
  }

  /** Binds keys and values to the places of a statement, from the first on. */
  static void bind(PreparedStatement statement, Iterable<byte[]> all) throws SQLException {
    int place = 1;
    for (byte[] each : all) {
      statement.setBytes(place++, each);
    }
  }
}
