/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What {@code kasane.yaml} grants one storage engine.
 *
 * @param capacityBytes the most that it may take on its disk
 * @param memoryBytes the most that it may take of memory outside the heap
 * @param sync whether what it has taken survives a power failure
 */
public record EngineSettings(OptionalLong capacityBytes, OptionalLong memoryBytes, boolean sync) {
  /** What nothing was said about. */
  public static final EngineSettings DEFAULT =
      new EngineSettings(OptionalLong.empty(), OptionalLong.empty(), true);

  /** What engines are called. */
  public static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,32}");

  static final String CAPACITY = "capacity";
  static final String MEMORY = "memory";
  static final String DURABILITY = "durability";
  static final Set<String> KNOWN = new TreeSet<>(Set.of(CAPACITY, MEMORY, DURABILITY));
  static final long MIN_BYTES = 16L << 20;
}
