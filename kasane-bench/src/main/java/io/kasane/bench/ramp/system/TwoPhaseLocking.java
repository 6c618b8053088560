/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.ramp.lock.LockClient;
import io.kasane.bench.ramp.lock.LockServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Strict two-phase locking over a plain table, as the baseline of the RAMP paper: all writes lock
 * their keys exclusively, with one request, until all replicas that must have acknowledged them;
 * what reads lock is the isolation level. Locks are given back without waiting for an answer.
 *
 * <p>Source: Bailis et al., SIGMOD 2014, section 5.1 (LWLR, LWSR and LWNR).
 */
final class TwoPhaseLocking implements TransactionSystem {
  /** What a read locks. */
  enum ReadLocks {
    /** All its keys until it has them: repeatable read. */
    LONG,
    /** Each key until that one is read: read committed. */
    SHORT,
    /** Nothing: read uncommitted. */
    NONE
  }

  private final PlainTable table;
  private final ReadLocks readLocks;
  private final LockServer server;
  private final TransactionNumbers numbers;

  /**
   * Two-phase locking with a lock server of its own.
   *
   * @param lease how long a client that died keeps its locks
   */
  TwoPhaseLocking(
      CqlSession session,
      String table,
      ReadLocks readLocks,
      Duration lease,
      TransactionNumbers numbers) {
    this.table = new PlainTable(session, table);
    this.readLocks = readLocks;
    this.numbers = numbers;
    try {
      this.server = LockServer.start(lease);
    } catch (IOException e) {
      throw new TransactionFailedException(e);
    }
  }

  @Override
  public TransactionClient connect() {
    return new Client();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new TransactionFailedException(e);
    }
  }

  private final class Client implements TransactionClient {
    private LockClient locks;

    /** The connection, a new one where the last one failed. */
    private LockClient locks() throws IOException {
      if (locks == null) {
        locks = new LockClient(server.address(), server.lease());
      }
      return locks;
    }

    @Override
    public Reading read(int[] keys) {
      return switch (readLocks) {
        case LONG -> locked(false, keys, () -> new Reading(table.selectEach(keys), 1));
        case SHORT -> readEachLocked(keys);
        case NONE -> new Reading(table.selectEach(keys), 1);
      };
    }

    @Override
    public long write(int[] keys, byte[] payload) {
      return locked(
          true,
          keys,
          () -> {
            // A number drawn under the locks: whoever has them later has a higher one.
            StampedValue value = new StampedValue(numbers.next(), keys, payload);
            table.insertEach(keys, value);
            return value.number();
          });
    }

    private <T> T locked(boolean exclusive, int[] keys, Supplier<T> work) {
      try {
        LockClient.Lease lease = locks().lock(exclusive, ascending(keys));
        try {
          T result = work.get();
          if (lease.isOver()) {
            throw new IOException("the locks were lost before the work was done");
          }
          return result;
        } finally {
          locks.release(lease.id());
        }
      } catch (IOException e) {
        throw failed(e);
      }
    }

    /** No key waits for another: all are asked for at once, and read as they come. */
    private Reading readEachLocked(int[] keys) {
      try {
        var asked = ShortLocks.readEach(locks(), keys, table::select);
        return new Reading(PlainTable.seen(Answers.of(asked)), 1);
      } catch (IOException e) {
        throw failed(e);
      }
    }

    private TransactionFailedException failed(IOException e) {
      close();
      return new TransactionFailedException(e);
    }

    @Override
    public void close() {
      try {
        if (locks != null) {
          locks.close();
        }
      } catch (IOException e) {
        throw new TransactionFailedException(e);
      } finally {
        locks = null;
      }
    }
  }

  private static long[] ascending(int[] keys) {
    return Arrays.stream(keys).sorted().asLongStream().toArray();
  }
}
