/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import java.sql.SQLException;
import java.time.Duration;
import org.mariadb.jdbc.Connection;

/** A MariaDB server with a schema that is one engine's alone. Thread-safe. */
interface SqlServer extends AutoCloseable {
  /**
   * Connects to it.
   *
   * @param maxStart how long it may take until it listens, if it has to be started for that
   * @throws io.kasane.engine.spi.EngineException if it does not answer
   */
  Connection connect(Duration maxCall, Duration maxStart);

  /** Returns the name of the schema: letters, digits and underscores. */
  String schema();

  /** Returns how often it was started, as far as that is known. */
  int starts();

  /**
   * Refuses a schema that is another's, and settings that would lose what is written. Only for who
   * holds the lock of the schema, which is in use.
   */
  void requireOwn(Connection connection) throws SQLException;

  /** Returns how long the files of the engine's tables are. */
  long tableBytes(SqlConnections connections);

  /** Returns how long all files are that it has for the engine. */
  long diskBytes(SqlConnections connections);

  /** Returns what its disk has free, where that can be seen from here. */
  long usableBytes();

  @Override
  void close();
}
