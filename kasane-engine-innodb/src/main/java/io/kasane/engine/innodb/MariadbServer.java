/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.server.OwnServer;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.Connection;
import org.mariadb.jdbc.Driver;

/**
 * A MariaDB server of this process alone, with nothing in it but Kasane's tables: no accounts,
 * since only the user that it runs as can reach its socket. Thread-safe.
 */
final class MariadbServer implements SqlServer {
  private static final String SCHEMA = "kasane";

  /** A log that holds many times what one batch has, and does not fill a small disk. */
  private static final int LOG_SHARE = 16;

  private static final long MIN_LOG_BYTES = 16L << 20;
  private static final long MAX_LOG_BYTES = 1L << 30;
  private static final long LOG_UNIT_BYTES = 4_096;
  private static final int MAX_CONNECTIONS = 1_000;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final MariadbProgram program;
  private final EngineOptions options;
  private final OwnServer server;
  private volatile boolean closed;

  /** A server that does not run yet. */
  MariadbServer(MariadbProgram program, EngineOptions options) throws IOException {
    this.program = program;
    this.options = options;
    this.server =
        new OwnServer("mariadb", program.executable(), options.directory(), this::arguments);
  }

  private Path data() {
    return server.directory().resolve("data");
  }

  private List<String> arguments(Path socket) throws IOException {
    Files.createDirectories(data());
    List<String> arguments = new ArrayList<>(List.of("--no-defaults"));
    arguments.addAll(program.messageArguments());
    arguments.addAll(
        List.of(
            "--user=" + System.getProperty("user.name"),
            "--datadir=" + data(),
            "--socket=" + socket,
            "--pid-file=" + server.directory().resolve("mariadbd.pid"),
            "--log-error=" + server.directory().resolve("mariadb.log"),
            "--skip-networking",
            "--skip-grant-tables",
            "--skip-ssl",
            "--skip-log-bin",
            "--skip-name-resolve",
            "--performance-schema=OFF",
            "--max-connections=" + MAX_CONNECTIONS,
            "--max-allowed-packet=1G",
            "--wait-timeout=31536000",
            "--key-buffer-size=64K",
            "--aria-pagecache-buffer-size=128K",
            "--default-storage-engine=InnoDB",
            "--sql-mode=STRICT_ALL_TABLES",
            "--innodb-buffer-pool-size=" + options.memoryBytes(),
            "--innodb-log-file-size=" + logBytes(),
            "--innodb-autoextend-increment=8",
            "--innodb-max-undo-log-size=10M",
            "--innodb-undo-log-truncate=ON",
            "--innodb-stats-persistent=OFF",
            "--innodb-strict-mode=ON",
            "--innodb-flush-log-at-trx-commit="
                + (options.durability() == Durability.SYNC ? 1 : 2)));
    return arguments;
  }

  private long logBytes() {
    long bytes = Math.min(options.capacityBytes(), data().toFile().getTotalSpace()) / LOG_SHARE;
    long bounded = Math.min(MAX_LOG_BYTES, Math.max(MIN_LOG_BYTES, bytes));
    return bounded / LOG_UNIT_BYTES * LOG_UNIT_BYTES;
  }

  /** Starts it if it does not run: it makes good what a crash left before it listens. */
  @Override
  public Connection connect(Duration maxCall, Duration maxStart) {
    if (closed) {
      throw new EngineException(Kind.CLOSED, this + " is closed");
    }
    long deadline = System.nanoTime() + maxStart.toNanos();
    try {
      while (true) {
        Path socket = server.running();
        try {
          return Driver.connect(configuration(socket, maxCall));
        } catch (SQLException e) { // it does not listen yet
          if (System.nanoTime() > deadline || server.process().isEmpty()) {
            throw new EngineException(
                Kind.UNREACHABLE,
                this + " does not listen: see mariadb.log there: " + e.getMessage(),
                e);
          }
        }
        TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
      }
    } catch (IOException e) {
      throw new EngineException(Kind.UNREACHABLE, this + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(Kind.FAILED, this + ": interrupted while it was started", e);
    }
  }

  private static Configuration configuration(Path socket, Duration maxCall) throws SQLException {
    int millis = (int) maxCall.toMillis();
    return Configuration.parse(
        "jdbc:mariadb://localhost/?sslMode=disable&user=kasane&socketFactory="
            + LocalSocketFactory.class.getName()
            + "&connectTimeout="
            + millis
            + "&socketTimeout="
            + millis
            + "&maxAllowedPacket="
            + (1 << 30),
        socketOption(socket));
  }

  private static Properties socketOption(Path socket) {
    Properties option = new Properties();
    option.setProperty(LocalSocketFactory.PATH_OPTION, socket.toString());
    return option;
  }

  @Override
  public String schema() {
    return SCHEMA;
  }

  @Override
  public int starts() {
    return server.starts();
  }

  /** Nobody else reaches it, and it was started as it has to be. */
  @Override
  public void requireOwn(Connection connection) {}

  @Override
  public long tableBytes(SqlConnections connections) {
    return EngineUsage.bytesIn(data().resolve(SCHEMA));
  }

  @Override
  public long diskBytes(SqlConnections connections) {
    return EngineUsage.bytesIn(data()) + tableBytes(connections);
  }

  @Override
  public long usableBytes() {
    return data().toFile().getUsableSpace();
  }

  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, this + ": " + e, e);
    }
  }

  @Override
  public String toString() {
    return "MariaDB in " + server.directory();
  }
}
