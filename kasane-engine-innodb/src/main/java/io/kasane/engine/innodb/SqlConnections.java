/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.server.ChangeLock;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.mariadb.jdbc.Connection;

/**
 * Connections to one server: one for each snapshot that is open, and one for all changes.
 * Thread-safe.
 */
final class SqlConnections implements AutoCloseable {
  private static final int MAX_IDLE = 64;

  /** Who reads has other replicas to go to: coordinators are to find out soon. */
  private static final Duration MAX_READ = Duration.ofSeconds(3);

  private static final String BEGIN_SNAPSHOT =
      "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

  /** Whoever changes anything has it, with the schema's name, until the server has done with it. */
  private static final String LOCK = "kasane.";

  private static final int NO_SUCH_THREAD = 1094;
  private static final String IS_OWN =
      "SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = ? AND DB = ?";

  private final String name;
  private final SqlServer server;
  private final Duration maxCall;
  private final Duration maxRead;
  private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
  private final ChangeLock writer;
  private Connection writing;

  /** Whether the last change was answered, or can be made no more. */
  private volatile boolean isSettled = true;

  /** What the server calls the connection of the last change; 0 before the first. */
  private long writingId;

  /** Which start of the server that is of. */
  private int writingStart;

  /** What is done on a connection. */
  @FunctionalInterface
  interface Changes<T> {
    T make(Connection connection) throws SQLException;
  }

  /**
   * Connections to a server that is started by the first.
   *
   * @param maxCall of one change: a server that is stopped holds no thread for longer, and no
   *     reader for as long
   * @param maxStart of the first start
   */
  SqlConnections(String name, SqlServer server, Duration maxCall, Duration maxStart) {
    this.name = name;
    this.server = server;
    this.maxCall = maxCall;
    this.maxRead = maxCall.compareTo(MAX_READ) < 0 ? maxCall : MAX_READ;
    this.writer = new ChangeLock(name, maxRead);
    giveBack(server.connect(maxRead, maxStart));
  }

  String schema() {
    return server.schema();
  }

  // ---- reads

  /** Returns a connection that sees what is there now, and nothing that comes later. */
  Connection openSnapshot() {
    settle();
    Connection known = idle.pollFirst();
    if (known != null) {
      try {
        return begun(known);
      } catch (SQLException e) {
        abandonAll(known); // the server may have been started anew since
      }
    }
    Connection connection = server.connect(maxRead, maxRead);
    try {
      return begun(connection);
    } catch (SQLException e) {
      abandon(connection);
      throw SqlErrors.of(name, e);
    } catch (RuntimeException | Error e) {
      abandon(connection);
      throw e;
    }
  }

  /** What one has lost, all others have: to try each would take as long for each. */
  private void abandonAll(Connection first) {
    abandon(first);
    for (Connection each = idle.poll(); each != null; each = idle.poll()) {
      abandon(each);
    }
  }

  private static Connection begun(Connection connection) throws SQLException {
    execute(connection, BEGIN_SNAPSHOT);
    return connection;
  }

  /** Reads by one statement, which sees what is there now. */
  <T> T read(Changes<T> statement) {
    settle();
    Connection connection = idle.pollFirst();
    if (connection != null) {
      try {
        return readOn(connection, statement);
      } catch (SQLException e) {
        if (!SqlErrors.isOfConnection(e)) {
          abandon(connection);
          throw SqlErrors.of(name, e);
        }
        abandonAll(connection); // the server may have been started anew since
      } catch (RuntimeException | Error e) {
        abandon(connection);
        throw e;
      }
    }
    connection = server.connect(maxRead, maxRead);
    try {
      return readOn(connection, statement);
    } catch (SQLException e) {
      abandon(connection);
      throw SqlErrors.of(name, e);
    } catch (RuntimeException | Error e) {
      abandon(connection);
      throw e;
    }
  }

  private <T> T readOn(Connection connection, Changes<T> statement) throws SQLException {
    T read = statement.make(connection);
    giveBack(connection);
    return read;
  }

  /** Ends a snapshot. */
  void closeSnapshot(Connection connection) {
    try {
      execute(connection, "COMMIT");
      giveBack(connection);
    } catch (SQLException e) {
      abandon(connection);
    }
  }

  private void giveBack(Connection connection) {
    if (idle.size() < MAX_IDLE) {
      idle.addFirst(connection);
    } else {
      abandon(connection);
    }
  }

  /** Closes it, and does not wait for an answer. */
  static void abandon(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is closed.
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  // ---- changes

  /**
   * Makes changes as one transaction, of which either all or nothing holds. If it fails without an
   * answer they may hold nevertheless; that is settled before anything is read or changed.
   */
  void change(Changes<?> changes) {
    write(
        connection -> {
          execute(connection, "START TRANSACTION");
          try {
            changes.make(connection);
            execute(connection, "COMMIT");
          } catch (SQLException e) {
            if (!SqlErrors.isOfConnection(e)) {
              rollBack(connection);
            }
            throw e;
          }
          return null;
        });
  }

  /** What is not rolled back would be of the next transaction. */
  private static void rollBack(Connection connection) throws SQLException {
    try {
      execute(connection, "ROLLBACK");
    } catch (SQLException e) {
      throw new SQLException(e.getMessage(), SqlErrors.CONNECTION + "000", e);
    }
  }

  /**
   * What was sent and not answered could else be made after a read that a later change goes by: it
   * is made now, or never.
   */
  private void settle() {
    if (isSettled) {
      return;
    }
    writer.lockForRead();
    try {
      if (!isSettled) {
        Connection connection = server.connect(maxRead, maxRead);
        try {
          takeOver(connection);
          writingId = 0;
        } catch (SQLException e) {
          throw SqlErrors.of(name, e);
        } finally {
          abandon(connection);
        }
      }
    } finally {
      writer.unlock();
    }
  }

  /** Calls on the connection of all changes: one statement is a transaction of its own. */
  <T> T write(Changes<T> changes) {
    writer.lock();
    boolean isUsable = false;
    try {
      if (writing == null) {
        connectWriter();
      }
      T result = changes.make(writing);
      isUsable = true;
      return result;
    } catch (SQLException e) {
      isUsable = !SqlErrors.isOfConnection(e);
      throw SqlErrors.of(name, e);
    } finally {
      if (!isUsable && writing != null) {
        isSettled = false;
        abandon(writing);
        writing = null;
      }
      writer.unlock();
    }
  }

  /** Ends the connection of changes that nobody has an answer to, and waits until it has ended. */
  private void connectWriter() throws SQLException {
    Connection connection = server.connect(maxCall, maxCall);
    try {
      takeOver(connection);
      execute(connection, "CREATE DATABASE IF NOT EXISTS " + server.schema());
      execute(connection, "USE " + server.schema());
      server.requireOwn(connection);
      writingStart = server.starts();
      writingId = connection.getThreadId();
      writing = connection;
    } catch (SQLException | RuntimeException | Error e) {
      abandon(connection);
      throw e;
    }
  }

  private void takeOver(Connection connection) throws SQLException {
    if (writingId != 0 && writingStart == server.starts()) {
      end(connection, writingId);
    }
    requireLock(connection);
    isSettled = true;
  }

  private void end(Connection connection, long id) throws SQLException {
    try (PreparedStatement own = connection.prepareStatement(IS_OWN)) {
      own.setLong(1, id);
      own.setString(2, server.schema());
      try (ResultSet found = own.executeQuery()) {
        if (!found.next()) {
          return; // it has ended, or another has its number since a restart
        }
      }
    }
    try {
      execute(connection, "KILL CONNECTION " + id);
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_SUCH_THREAD) {
        throw e;
      }
    }
  }

  /** A process that died may have left a connection that the server does not know to be dead. */
  private void requireLock(Connection connection) throws SQLException {
    if (!isLocked(connection, 0)) {
      long holder =
          OperatorMariadb.number(
              connection, "SELECT COALESCE(IS_USED_LOCK('" + LOCK + schema() + "'), 0)");
      if (holder != 0) {
        end(connection, holder);
      }
      if (!isLocked(connection, Math.max(1, maxRead.toSeconds() / 2))) {
        throw new EngineException(
            Kind.UNREACHABLE, name + ": another connection changes it, and does not end");
      }
    }
  }

  private boolean isLocked(Connection connection, long seconds) throws SQLException {
    return OperatorMariadb.number(
            connection, "SELECT GET_LOCK('" + LOCK + schema() + "', " + seconds + ")")
        == 1;
  }

  @Override
  public void close() {
    writer.lock();
    try {
      if (writing != null) {
        abandon(writing);
        writing = null;
      }
    } finally {
      writer.unlock();
    }
    for (Connection each = idle.poll(); each != null; each = idle.poll()) {
      abandon(each);
    }
    server.close();
  }
}
