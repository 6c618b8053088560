/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Sorted maps: what every engine is compared with. Its disk is its memory. */
public final class NaiveProvider implements EngineProvider {
  private final int keyBytes;
  private final Map<Path, NavigableMap<String, NaiveTable>> disks = new TreeMap<>();
  private final Set<Path> open = new TreeSet<>();

  /**
   * An engine's kind.
   *
   * @param keyBytes the longest key that its engines take
   */
  public NaiveProvider(int keyBytes) {
    this.keyBytes = keyBytes;
  }

  @Override
  public String name() {
    return "naive";
  }

  @Override
  public Engine open(EngineOptions options) {
    if (!open.add(options.directory())) {
      throw new EngineException(EngineException.Kind.FAILED, "it is open already");
    }
    return new NaiveEngine(
        keyBytes,
        options.capacityBytes(),
        disks.computeIfAbsent(options.directory(), directory -> new TreeMap<>()),
        () -> open.remove(options.directory()));
  }
}
