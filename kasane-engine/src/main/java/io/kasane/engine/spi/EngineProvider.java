/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

/** A kind of engine, found by {@link java.util.ServiceLoader}. */
public interface EngineProvider {
  /** Returns the name by which tables and settings know it, in lower case: {@code lmdb}. */
  String name();

  /** Returns the port of the servers of operators that it can keep tables in; 0 if it has none. */
  default int serverPort() {
    return 0;
  }

  /**
   * Opens an engine, with what it held when it was closed or when its process or machine died.
   *
   * @throws EngineException if it cannot be opened; {@link EngineException.Kind#CORRUPT} if what
   *     lies in the directory cannot be read
   */
  Engine open(EngineOptions options);
}
