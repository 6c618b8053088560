/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Sorted maps: what every engine is compared with. Its disk is its memory. */
public final class NaiveProvider implements EngineProvider {
  private final int keyBytes;
  private final Map<Path, NavigableMap<String, NaiveTable>> disks = new TreeMap<>();

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
    return new NaiveEngine(
        keyBytes,
        options.capacityBytes(),
        disks.computeIfAbsent(options.directory(), directory -> new TreeMap<>()));
  }
}
