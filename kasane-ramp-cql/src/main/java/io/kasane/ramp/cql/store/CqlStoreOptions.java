/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

/**
 * How a store uses its session.
 *
 * @param executionProfile the driver's execution profile; empty for the default one
 * @param createTables whether tables that are missing are made
 * @param maxInFlight how many requests may be under way at a time; others wait
 * @param maxWaitingBytes how much memory those that wait may take; what comes then fails at once
 * @param pageRows how many items of a collection come in one answer of a node
 * @param maxCandidates how many versions of a key are asked for in one question
 * @param maxBatchRows how many keys with the same replicas travel in one request; 1 for each alone
 * @param maxBatchBytes how much is written in one request, unless a single version has more
 * @param maxCheckedKeys of how many keys of a put, whatever their replicas, one request asks
 *     whether a newer version was committed; 1 for each alone
 */
public record CqlStoreOptions(
    String executionProfile,
    boolean createTables,
    int maxInFlight,
    long maxWaitingBytes,
    int pageRows,
    int maxCandidates,
    int maxBatchRows,
    int maxBatchBytes,
    int maxCheckedKeys) {
  /** The most rows of a batch: as many come in one page of an answer. */
  static final int MAX_BATCH_ROWS = 1000;

  /** Above it, Cassandra's default configuration warns of every batch of several partitions. */
  private static final int UNREMARKABLE_BATCH_ROWS = 10;

  /** Cassandra warns above 5 KiB, and counts some bytes more a row. */
  private static final int UNREMARKABLE_BATCH_BYTES = 4096;

  private static final int SHARE_OF_HEAP = 8;

  /** Numbers below 1 are refused, and so are batches and checks of more than 1,000 rows. */
  public CqlStoreOptions {
    requirePositive("maxInFlight", maxInFlight);
    requirePositive("maxWaitingBytes", maxWaitingBytes);
    requirePositive("pageRows", pageRows);
    requirePositive("maxCandidates", maxCandidates);
    requirePositive("maxBatchRows", maxBatchRows);
    requirePositive("maxBatchBytes", maxBatchBytes);
    requirePositive("maxCheckedKeys", maxCheckedKeys);
    requireOnePage("maxBatchRows", maxBatchRows);
    requireOnePage("maxCheckedKeys", maxCheckedKeys);
  }

  /**
   * The driver's default profile, tables made, 1,024 requests and an eighth of the heap for those
   * that wait, 256 items, 64 versions, batches of 10 rows and 4 KiB, 10 keys a check.
   */
  public static CqlStoreOptions defaults() {
    return new CqlStoreOptions(
        "",
        true,
        1024,
        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP,
        256,
        64,
        UNREMARKABLE_BATCH_ROWS,
        UNREMARKABLE_BATCH_BYTES,
        UNREMARKABLE_BATCH_ROWS);
  }

  /** The same with another execution profile. */
  public CqlStoreOptions withExecutionProfile(String profile) {
    return new CqlStoreOptions(
        profile,
        createTables,
        maxInFlight,
        maxWaitingBytes,
        pageRows,
        maxCandidates,
        maxBatchRows,
        maxBatchBytes,
        maxCheckedKeys);
  }

  /** The same, making missing tables or not. */
  public CqlStoreOptions withCreateTables(boolean create) {
    return new CqlStoreOptions(
        executionProfile,
        create,
        maxInFlight,
        maxWaitingBytes,
        pageRows,
        maxCandidates,
        maxBatchRows,
        maxBatchBytes,
        maxCheckedKeys);
  }

  /** The same with another bound of requests under way. */
  public CqlStoreOptions withMaxInFlight(int requests) {
    return new CqlStoreOptions(
        executionProfile,
        createTables,
        requests,
        maxWaitingBytes,
        pageRows,
        maxCandidates,
        maxBatchRows,
        maxBatchBytes,
        maxCheckedKeys);
  }

  /** The same with another bound of memory for requests that wait. */
  public CqlStoreOptions withMaxWaitingBytes(long bytes) {
    return new CqlStoreOptions(
        executionProfile,
        createTables,
        maxInFlight,
        bytes,
        pageRows,
        maxCandidates,
        maxBatchRows,
        maxBatchBytes,
        maxCheckedKeys);
  }

  /** The same with another page size of collections. */
  public CqlStoreOptions withPageRows(int rows) {
    return new CqlStoreOptions(
        executionProfile,
        createTables,
        maxInFlight,
        maxWaitingBytes,
        rows,
        maxCandidates,
        maxBatchRows,
        maxBatchBytes,
        maxCheckedKeys);
  }

  /** The same with another bound of versions in one question. */
  public CqlStoreOptions withMaxCandidates(int versions) {
    return new CqlStoreOptions(
        executionProfile,
        createTables,
        maxInFlight,
        maxWaitingBytes,
        pageRows,
        versions,
        maxBatchRows,
        maxBatchBytes,
        maxCheckedKeys);
  }

  /** The same with other bounds of what travels in one request. */
  public CqlStoreOptions withBatches(int rows, int bytes) {
    return new CqlStoreOptions(
        executionProfile,
        createTables,
        maxInFlight,
        maxWaitingBytes,
        pageRows,
        maxCandidates,
        rows,
        bytes,
        maxCheckedKeys);
  }

  /** The same with another bound of keys that are checked in one request. */
  public CqlStoreOptions withMaxCheckedKeys(int keys) {
    return new CqlStoreOptions(
        executionProfile,
        createTables,
        maxInFlight,
        maxWaitingBytes,
        pageRows,
        maxCandidates,
        maxBatchRows,
        maxBatchBytes,
        keys);
  }

  private static void requireOnePage(String name, int rows) {
    if (rows > MAX_BATCH_ROWS) {
      throw new IllegalArgumentException(
          name + ": " + rows + " is above the most, " + MAX_BATCH_ROWS);
    }
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": " + value + " is below the least, 1");
    }
  }
}
