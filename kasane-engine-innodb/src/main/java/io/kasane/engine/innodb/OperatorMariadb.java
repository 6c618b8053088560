/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.server.OwnerMark;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.Connection;
import org.mariadb.jdbc.Driver;

/** A schema of a MariaDB server that an operator runs. Thread-safe. */
final class OperatorMariadb implements SqlServer {
  /** What is written into statements as it is. */
  private static final Pattern SCHEMA = Pattern.compile("[A-Za-z0-9_]{1,48}");

  /** A batch of keys, and a value of what Cassandra takes at most, fit in by far. */
  private static final long MIN_PACKET_BYTES = 64L << 20;

  private static final int MAX_PACKET_BYTES = 1 << 30;
  private static final int PAGE_BYTES = 16 << 10;
  private static final String CREATE_OWNER =
      "CREATE TABLE IF NOT EXISTS owner (one INT PRIMARY KEY, mark VARCHAR(64) NOT NULL) ENGINE=InnoDB";

  private final EngineServer address;
  private final Durability durability;
  private final Path directory;

  /** A server that is not asked for anything yet. */
  OperatorMariadb(EngineServer address, EngineOptions options) {
    if (!SCHEMA.matcher(address.database()).matches()) {
      throw new EngineException(
          Kind.FAILED,
          "engines.innodb.server.database: '"
              + address.database()
              + "' is not 1 to 48 letters, digits and underscores; take such a name");
    }
    this.address = address;
    this.durability = options.durability();
    this.directory = options.directory();
  }

  @Override
  public Connection connect(Duration maxCall, Duration maxStart) {
    try {
      Connection connection = Driver.connect(configuration((int) maxCall.toMillis()));
      try {
        prepare(connection);
        return connection;
      } catch (SQLException | RuntimeException e) {
        SqlConnections.abandon(connection);
        throw e;
      }
    } catch (SQLException | IOException e) {
      throw new EngineException(Kind.UNREACHABLE, this + ": " + e.getMessage(), e);
    }
  }

  /** Options are not in the address, where a password could hold others. */
  private Configuration configuration(int millis) throws SQLException, IOException {
    Properties options = new Properties();
    options.setProperty("socketFactory", NetworkSocketFactory.class.getName());
    options.setProperty("sslMode", address.isEncrypted() ? "verify-full" : "disable");
    options.setProperty("connectTimeout", String.valueOf(millis));
    options.setProperty("socketTimeout", String.valueOf(millis));
    options.setProperty("maxAllowedPacket", String.valueOf(MAX_PACKET_BYTES));
    address.user().ifPresent(user -> options.setProperty("user", user));
    address.password().ifPresent(password -> options.setProperty("password", password));
    address.certificates().ifPresent(file -> options.setProperty("serverSslCert", file.toString()));
    String host = address.host().contains(":") ? "[" + address.host() + "]" : address.host();
    return Configuration.parse("jdbc:mariadb://" + host + ":" + address.port() + "/", options);
  }

  /** Whatever the server does by default. */
  private static void prepare(Connection connection) throws SQLException {
    SqlConnections.execute(
        connection,
        "SET SESSION sql_mode = 'STRICT_ALL_TABLES', wait_timeout = 31536000,"
            + " max_statement_time = 0, autocommit = 1");
    SqlConnections.execute(connection, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  }

  @Override
  public String schema() {
    return address.database();
  }

  @Override
  public int starts() {
    return 0;
  }

  @Override
  public void requireOwn(Connection connection) throws SQLException {
    requireSettings(connection);
    try {
      String mark = OwnerMark.of(directory);
      boolean hasOwner = count(connection, "TABLE_NAME = 'owner'") > 0;
      String found = hasOwner ? owner(connection) : null;
      OwnerMark.require(this.toString(), mark, found, !hasOwner && count(connection, "TRUE") > 0);
      if (found == null) {
        SqlConnections.execute(connection, CREATE_OWNER);
        try (PreparedStatement marking =
            connection.prepareStatement("INSERT INTO owner VALUES (1, ?)")) {
          marking.setString(1, mark);
          marking.execute();
        }
      }
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, e.getMessage(), e);
    }
  }

  private void requireSettings(Connection connection) throws SQLException {
    int least = durability == Durability.SYNC ? 1 : 2;
    long flush = number(connection, "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit");
    if (flush != 1 && flush != least) {
      throw refusal(
          "innodb_flush_log_at_trx_commit", flush, durability == Durability.SYNC ? "1" : "1 or 2");
    }
    long packet = number(connection, "SELECT @@GLOBAL.max_allowed_packet");
    if (packet < MIN_PACKET_BYTES) {
      throw refusal("max_allowed_packet", packet, MIN_PACKET_BYTES + " or more");
    }
    long page = number(connection, "SELECT @@GLOBAL.innodb_page_size");
    if (page < PAGE_BYTES) {
      throw refusal("innodb_page_size", page, PAGE_BYTES + " or more");
    }
  }

  private EngineException refusal(String setting, long value, String bound) {
    return new EngineException(
        Kind.FAILED,
        this + ": " + setting + " is " + value + " there, and must be " + bound + ": set it there");
  }

  private String owner(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet owner = statement.executeQuery("SELECT mark FROM owner WHERE one = 1")) {
      return owner.next() ? owner.getString(1) : null;
    }
  }

  private long count(Connection connection, String which) throws SQLException {
    return number(
        connection,
        "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"
            + schema()
            + "' AND "
            + which);
  }

  static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet number = statement.executeQuery(query)) {
      number.next();
      return number.getLong(1);
    }
  }

  @Override
  public long tableBytes(SqlConnections connections) {
    return connections.write(
        connection ->
            number(
                connection,
                "SELECT COALESCE(SUM(DATA_LENGTH + INDEX_LENGTH + DATA_FREE), 0) FROM"
                    + " information_schema.TABLES WHERE TABLE_SCHEMA = '"
                    + schema()
                    + "'"));
  }

  @Override
  public long diskBytes(SqlConnections connections) {
    return tableBytes(connections);
  }

  /** Half of what there could be: sums with it stay numbers. */
  @Override
  public long usableBytes() {
    return Long.MAX_VALUE / 4;
  }

  /** It stays the operator's. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "MariaDB at " + address;
  }
}
