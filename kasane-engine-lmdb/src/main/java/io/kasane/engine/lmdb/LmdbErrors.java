/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.util.function.Supplier;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;

/** Translates LMDB's errors into {@code EngineException}s. */
final class LmdbErrors {
  private static final int NO_SPACE = 28; // ENOSPC of Linux

  private LmdbErrors() {}

  /** Makes a call, and names the engine in what it throws. */
  static <T> T calling(String engine, Supplier<T> call) {
    try {
      return call.get();
    } catch (LmdbException e) {
      throw new EngineException(kindOf(e), engine + ": " + e.getMessage(), e);
    } catch (IllegalArgumentException e) { // how the library passes on errors that it knows not
      throw new EngineException(Kind.FAILED, engine + ": " + e.getMessage(), e);
    }
  }

  private static Kind kindOf(LmdbException e) {
    if (e instanceof Env.MapFullException || e instanceof Dbi.DbFullException) {
      return Kind.FULL;
    }
    if (e instanceof LmdbNativeException.PageCorruptedException
        || e instanceof LmdbNativeException.PageNotFoundException
        || e instanceof Env.FileInvalidException
        || e instanceof Env.VersionMismatchException) {
      return Kind.CORRUPT;
    }
    if (e instanceof LmdbNativeException.ConstantDerivedException derived
        && derived.getResultCode() == NO_SPACE) {
      return Kind.FULL;
    }
    return e instanceof Env.AlreadyClosedException ? Kind.CLOSED : Kind.FAILED;
  }
}
