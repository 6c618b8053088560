/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.sql.SQLException;
import java.util.Set;

/** What errors of MariaDB mean for an engine. */
final class SqlErrors {
  /** ER_DISK_FULL, ER_RECORD_FILE_FULL, ER_LOCK_TABLE_FULL, ER_ENGINE_OUT_OF_MEMORY. */
  private static final Set<Integer> FULL = Set.of(1021, 1114, 1206, 1037, 1041);

  /** ER_NOT_KEYFILE, ER_CRASHED_ON_USAGE, ER_INDEX_CORRUPT, ER_NO_SUCH_TABLE_IN_ENGINE and like. */
  private static final Set<Integer> CORRUPT = Set.of(1034, 1035, 1194, 1712, 1877, 1932);

  /** How the states of a lost connection begin. */
  static final String CONNECTION = "08";

  private SqlErrors() {}

  static EngineException of(String engine, SQLException e) {
    return new EngineException(kind(e), engine + ": " + e.getMessage(), e);
  }

  private static Kind kind(SQLException e) {
    if (isOfConnection(e)) {
      return Kind.UNREACHABLE;
    }
    if (FULL.contains(e.getErrorCode())) {
      return Kind.FULL;
    }
    return CORRUPT.contains(e.getErrorCode()) ? Kind.CORRUPT : Kind.FAILED;
  }

  /** Whether nobody knows what the server has made of it. */
  static boolean isOfConnection(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith(CONNECTION);
  }
}
