/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.internals;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collection;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.TimeUUID;

/** What has another signature in an older Cassandra 5.0, found when it is first asked for. */
public final class OlderCassandra {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle INFO = info();
  private static final MethodHandle ADD_INITIAL = addInitial();

  private OlderCassandra() {}

  /**
   * What Cassandra is told of a compaction.
   *
   * @param doneBytes of {@code totalBytes}
   */
  public static CompactionInfo compactionInfo(
      TableMetadata table,
      OperationType type,
      long doneBytes,
      long totalBytes,
      TimeUUID id,
      Collection<? extends SSTableReader> sstables) {
    try {
      return (CompactionInfo)
          INFO.invokeExact(
              table, type, doneBytes, totalBytes, totalBytes, id, (Collection<?>) sstables);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The same compaction, further on. */
  public static CompactionInfo progress(CompactionInfo of, long doneBytes, long totalBytes) {
    return compactionInfo(
        of.getTableMetadata(),
        of.getTaskType(),
        doneBytes,
        totalBytes,
        of.getTaskId(),
        of.getSSTables());
  }

  /** Makes SSTables live that no index is told of. */
  public static void addInitialSSTables(Tracker tracker, Collection<SSTableReader> sstables) {
    try {
      ADD_INITIAL.invokeExact(tracker, (Collection<?>) sstables);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Until 5.0.8 there are two numbers of bytes, since 5.0.9 three. */
  private static MethodHandle info() {
    MethodType since =
        MethodType.methodType(
            void.class,
            TableMetadata.class,
            OperationType.class,
            long.class,
            long.class,
            long.class,
            TimeUUID.class,
            Collection.class);
    MethodHandle found;
    try {
      found = LOOKUP.findConstructor(CompactionInfo.class, since);
    } catch (NoSuchMethodException e) {
      found =
          MethodHandles.dropArguments(
              find(
                  () ->
                      LOOKUP.findConstructor(CompactionInfo.class, since.dropParameterTypes(4, 5))),
              4,
              long.class);
    } catch (IllegalAccessException e) {
      throw new LinkageError(e.toString(), e);
    }
    return found;
  }

  /** 5.0.3 takes any iterable. */
  private static MethodHandle addInitial() {
    String name = "addInitialSSTables";
    MethodHandle found;
    try {
      found =
          LOOKUP.findVirtual(
              Tracker.class, name, MethodType.methodType(void.class, Collection.class));
    } catch (NoSuchMethodException e) {
      found =
          find(
              () ->
                  LOOKUP.findVirtual(
                      Tracker.class, name, MethodType.methodType(void.class, Iterable.class)));
    } catch (IllegalAccessException e) {
      throw new LinkageError(e.toString(), e);
    }
    return found.asType(MethodType.methodType(void.class, Tracker.class, Collection.class));
  }

  private interface LookUp {
    MethodHandle get() throws ReflectiveOperationException;
  }

  private static MethodHandle find(LookUp lookUp) {
    try {
      return lookUp.get();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this Cassandra is neither as 5.0.3 nor as 5.0.9: " + e, e);
    }
  }

  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof RuntimeException unchecked) {
      return unchecked;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(e);
  }
}
