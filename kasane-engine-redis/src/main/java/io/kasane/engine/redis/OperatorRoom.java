/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

/**
 * Of an operator's server: its memory is bounded by what it was set to, and its log and its disk
 * are its operator's to look after. Thread-safe.
 */
final class OperatorRoom implements RedisRoom {
  private final RedisCalls calls;

  OperatorRoom(RedisCalls calls) {
    this.calls = calls;
  }

  /** The server refuses what does not fit into its memory. */
  @Override
  public void requireRoom(long bytes) {}

  @Override
  public void lookOnceASecond() {}

  @Override
  public long fileBytes() {
    return AppendOnlyFile.number(calls.info("persistence"), "aof_current_size");
  }

  @Override
  public long memoryBytes() {
    return AppendOnlyFile.number(calls.info("memory"), "used_memory");
  }

  @Override
  public long capacityBytes() {
    return AppendOnlyFile.number(calls.info("memory"), "maxmemory");
  }
}
