/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import java.util.Optional;
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
 * @param server the operator's server that it keeps its tables in; empty for files of its own
 */
public record EngineSettings(
    OptionalLong capacityBytes,
    OptionalLong memoryBytes,
    boolean sync,
    Optional<EngineServerSettings> server) {
  /** What nothing was said about. */
  public static final EngineSettings DEFAULT =
      new EngineSettings(OptionalLong.empty(), OptionalLong.empty(), true, Optional.empty());

  /** What engines are called. */
  public static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,32}");

  static final String CAPACITY = "capacity";
  static final String MEMORY = "memory";
  static final String DURABILITY = "durability";
  static final String SERVER = "server";
  static final Set<String> KNOWN = new TreeSet<>(Set.of(CAPACITY, MEMORY, DURABILITY, SERVER));
  static final long MIN_BYTES = 16L << 20;
}
