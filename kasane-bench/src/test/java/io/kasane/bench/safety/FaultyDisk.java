/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.util.List;

/** A modelled disk of a node that runs, told to fail. */
final class FaultyDisk {
  /** As a regular expression of paths. */
  static final String ALL_FILES = ".*";

  /** What a program does to write something. */
  private static final String REQUESTS = "WRITE,CREATE,SYNC,RENAME";

  private static final long UNTIL_CLEARED = -1;

  private final NodeJmx jmx;
  private final String bean;

  FaultyDisk(NodeJmx jmx, String name) {
    this.jmx = jmx;
    this.bean = "io.kasane.disk:type=Disk,name=" + name;
  }

  /** Requests that write something, from when this was made on. */
  final class Requests {
    private final long fault;

    private Requests(long fault) {
      this.fault = fault;
    }

    long matched() throws IOException {
      return count("matchedRequests");
    }

    long failed() throws IOException {
      return count("failedRequests");
    }

    private long count(String operation) throws IOException {
      return (Long) jmx.invoke(bean, operation, List.of(long.class), fault);
    }

    /** Each with its file, first to last. */
    List<String> described() throws IOException {
      Object requests = jmx.invoke(bean, "describeRequests", List.of(long.class), fault);
      return List.of((String[]) requests);
    }
  }

  /** Counts what is written to some files; nothing fails. */
  Requests count(String files) throws IOException {
    return add(files, 1, 0, "EIO");
  }

  /** The k-th request that writes to some files fails, and all that follow. */
  Requests failFrom(long k, String files, String error) throws IOException {
    return add(files, k, UNTIL_CLEARED, error);
  }

  /** The next request that writes to some files fails, and no other. */
  Requests failOnce(String files) throws IOException {
    return add(files, 1, 1, "EIO");
  }

  private Requests add(String files, long first, long count, String error) throws IOException {
    List<Class<?>> types =
        List.of(String.class, String.class, long.class, long.class, String.class);
    return new Requests(
        (Long) jmx.invoke(bean, "addFault", types, REQUESTS, files, first, count, error));
  }

  void clear() throws IOException {
    jmx.invoke(bean, "clearFaults", List.of());
  }
}
