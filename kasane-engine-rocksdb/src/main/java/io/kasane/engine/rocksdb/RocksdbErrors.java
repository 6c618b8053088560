/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Translates RocksDB's errors into {@code EngineException}s. */
final class RocksdbErrors {
  private RocksdbErrors() {}

  /** A call of RocksDB. */
  interface Call<T> {
    T call() throws RocksDBException;
  }

  /** Makes a call, and names the engine in what it throws. */
  static <T> T calling(String engine, Call<T> call) {
    try {
      return call.call();
    } catch (RocksDBException e) {
      throw new EngineException(kindOf(e.getStatus()), engine + ": " + e.getMessage(), e);
    }
  }

  private static Kind kindOf(Status status) {
    if (status == null) {
      return Kind.FAILED;
    }
    if (status.getCode() == Status.Code.Corruption) {
      return Kind.CORRUPT;
    }
    return status.getSubCode() == Status.SubCode.NoSpace ? Kind.FULL : Kind.FAILED;
  }
}
