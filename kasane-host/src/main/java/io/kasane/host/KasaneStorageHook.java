/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import io.kasane.host.fast.DirectoryGuard;
import io.kasane.host.read.LeftOutRowIterator;
import io.kasane.host.read.ObservedRowIterator;
import io.kasane.host.read.TableFollower;
import io.kasane.host.read.TableObserver;
import io.kasane.host.read.TrackedReads;
import io.kasane.host.refuse.CassandraVersion;
import io.kasane.host.refuse.HostException;
import io.kasane.host.refuse.JarVersions;
import io.kasane.host.refuse.StartRefusal;
import java.util.ServiceConfigurationError;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.StorageHook;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorWithLowerBound;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableId;

/**
 * Cassandra's storage hook, switched on with {@code -Dcassandra.storage_hook=} and this class's
 * name. It passes every access to the table's {@link TableObserver}, if there is one, and is the
 * place where Kasane starts: Cassandra constructs it once, after its own startup checks of the data
 * directories and before it loads the schema.
 *
 * <p>A table-backed index carries its base table's id with keys of its own (local partitioner);
 * such accesses are not the table's and are dropped here.
 */
public final class KasaneStorageHook implements StorageHook {
  private static final ConcurrentMap<TableId, TableObserver> observers = new ConcurrentHashMap<>();

  private static final ConcurrentMap<TableId, TableFollower> followers = new ConcurrentHashMap<>();

  private final DirectoryGuard guard;

  public KasaneStorageHook() {
    guard = start();
  }

  private static DirectoryGuard start() {
    try {
      CassandraVersion.check();
      JarVersions.check();
      return KasaneHost.start().guard();
    } catch (HostException e) {
      throw StartRefusal.of(e.getMessage(), e);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw StartRefusal.of(
          "a class is not to be had ("
              + e
              + "): a jar is missing in lib/, or is another than Kasane was built with. Copy all"
              + " node jars of one version",
          e);
    }
  }

  /** Sends a table's accesses to {@code observer} from now on. */
  public static void observe(TableId table, TableObserver observer) {
    TrackedReads.watch();
    observers.put(table, observer);
  }

  /** Stops what {@link #observe} began, unless another observer has taken the table over. */
  public static void unobserve(TableId table, TableObserver observer) {
    observers.remove(table, observer);
  }

  /** Tells {@code follower} all that is written to a table from now on, beside its observer. */
  public static void follow(TableId table, TableFollower follower) {
    followers.put(table, follower);
  }

  /** Stops what {@link #follow} began. */
  public static void unfollow(TableId table, TableFollower follower) {
    followers.remove(table, follower);
  }

  /** Whether this node was started with the hook. */
  public static boolean isInstalled() {
    return StorageHook.instance instanceof KasaneStorageHook;
  }

  @Override
  public void reportWrite(TableId tableId, PartitionUpdate update) {
    guard.onWrite(tableId);
    boolean isOfTable = !(update.partitionKey().getPartitioner() instanceof LocalPartitioner);
    TableFollower follower = followers.get(tableId);
    if (follower != null && isOfTable) {
      tell(tableId, follower, () -> follower.onWrite(update));
    }
    TableObserver observer = observers.get(tableId);
    if (observer != null && isOfTable) {
      observer.onWrite(update.partitionKey());
    }
  }

  /** An exception here would fail a write that has been made. */
  private static void tell(TableId tableId, TableFollower follower, Runnable what) {
    try {
      what.run();
    } catch (RuntimeException | Error e) {
      unfollow(tableId, follower);
      follower.onFailure(e);
    }
  }

  @Override
  public void reportRead(TableId tableId, DecoratedKey key) {
    boolean isOfTable = !(key.getPartitioner() instanceof LocalPartitioner);
    TableFollower follower = followers.get(tableId);
    if (follower != null && isOfTable) {
      tell(tableId, follower, () -> follower.onRead(key));
    }
    TableObserver observer = observers.get(tableId);
    if (observer != null && isOfTable) {
      observer.onRead(key);
    }
  }

  @Override
  public UnfilteredRowIteratorWithLowerBound makeRowIteratorWithLowerBound(
      ColumnFamilyStore cfs,
      SSTableReader sstable,
      DecoratedKey key,
      ClusteringIndexFilter filter,
      ColumnFilter selectedColumns,
      SSTableReadsListener listener) {
    TableObserver observer = observerOf(cfs);
    if (observer == null) {
      return new UnfilteredRowIteratorWithLowerBound(
          key, sstable, filter, selectedColumns, listener);
    }
    return mayLeaveOut(observer, sstable, key)
        ? new LeftOutRowIterator(key, sstable, filter, selectedColumns, listener)
        : new ObservedRowIterator(
            observer,
            key,
            sstable,
            filter,
            selectedColumns,
            observer.onSSTableRead(sstable, key, listener));
  }

  @Override
  public UnfilteredRowIterator makeRowIterator(
      ColumnFamilyStore cfs,
      SSTableReader sstable,
      DecoratedKey key,
      Slices slices,
      ColumnFilter selectedColumns,
      boolean reversed,
      SSTableReadsListener listener) {
    TableObserver observer = observerOf(cfs);
    if (observer == null) {
      return sstable.rowIterator(key, slices, selectedColumns, reversed, listener);
    }
    if (mayLeaveOut(observer, sstable, key)) {
      return EmptyIterators.unfilteredRow(cfs.metadata(), key, reversed);
    }
    SSTableReadsListener observed = observer.onSSTableRead(sstable, key, listener);
    long began = System.nanoTime();
    UnfilteredRowIterator rows =
        sstable.rowIterator(key, slices, selectedColumns, reversed, observed);
    observer.onLookUp(sstable, key, System.nanoTime() - began);
    return rows;
  }

  private static boolean mayLeaveOut(
      TableObserver observer, SSTableReader sstable, DecoratedKey key) {
    return observer.isSkippable(sstable, key) && !TrackedReads.isTracked();
  }

  private static TableObserver observerOf(ColumnFamilyStore cfs) {
    return cfs.isIndex() ? null : observers.get(cfs.metadata.id);
  }
}
