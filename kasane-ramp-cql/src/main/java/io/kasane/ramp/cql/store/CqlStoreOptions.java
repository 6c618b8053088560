/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

/**
 * How a store uses its session.
 *
 * @param executionProfile the driver's execution profile; empty for the default one
 * @param createTables whether tables that are missing are made
 * @param maxInFlight how many requests may be under way at a time; others wait
 * @param pageRows how many items of a collection come in one answer of a node
 * @param maxCandidates how many versions of a key are asked for in one question
 */
public record CqlStoreOptions(
    String executionProfile,
    boolean createTables,
    int maxInFlight,
    int pageRows,
    int maxCandidates) {
  /** Numbers below 1 are refused. */
  public CqlStoreOptions {
    requirePositive("maxInFlight", maxInFlight);
    requirePositive("pageRows", pageRows);
    requirePositive("maxCandidates", maxCandidates);
  }

  /** The driver's default profile, tables made, 1,024 requests, 256 items, 64 versions. */
  public static CqlStoreOptions defaults() {
    return new CqlStoreOptions("", true, 1024, 256, 64);
  }

  /** The same with another execution profile. */
  public CqlStoreOptions withExecutionProfile(String profile) {
    return new CqlStoreOptions(profile, createTables, maxInFlight, pageRows, maxCandidates);
  }

  /** The same, making missing tables or not. */
  public CqlStoreOptions withCreateTables(boolean create) {
    return new CqlStoreOptions(executionProfile, create, maxInFlight, pageRows, maxCandidates);
  }

  /** The same with another bound of requests under way. */
  public CqlStoreOptions withMaxInFlight(int requests) {
    return new CqlStoreOptions(executionProfile, createTables, requests, pageRows, maxCandidates);
  }

  /** The same with another page size of collections. */
  public CqlStoreOptions withPageRows(int rows) {
    return new CqlStoreOptions(executionProfile, createTables, maxInFlight, rows, maxCandidates);
  }

  /** The same with another bound of versions in one question. */
  public CqlStoreOptions withMaxCandidates(int versions) {
    return new CqlStoreOptions(executionProfile, createTables, maxInFlight, pageRows, versions);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": " + value + " is below the least, 1");
    }
  }
}
