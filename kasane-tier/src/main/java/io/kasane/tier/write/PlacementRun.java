/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.KeyIds;
import io.kasane.copies.sstables.RowMembership;
import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.tier.place.Placement;
import io.kasane.tier.quota.FastQuota;
import io.kasane.tier.quota.QuotaGuard;
import io.kasane.tier.sstables.SSTableTemperature;
import io.kasane.tier.sstables.SlowTarget;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.AbstractRowIndexEntry;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;

/**
 * The placement of one flush or compaction: asks the policy once, then says for each row where it
 * goes and counts what moved. Used by one thread.
 */
public final class PlacementRun {
  private static final long MIN_FILTER_KEYS = 128; // a smaller filter saves nothing
  private static final long TRUSTED_BYTES = 256 << 10; // sixteen chunks: they tell the ratio

  /** A UUID: what a row takes in the mean is told, no bound. */
  private static final long USUAL_KEY_BYTES = 16;

  /** Then most of a row is likely to be among the inputs. */
  private static final double WHOLE_ROWS_SHARE = 0.5;

  /** What becomes of rows on fast that are not hot. */
  public enum ColdRows {
    /** There is room: all stay. */
    STAY,
    /** Cold ones leave; those of unknown heat stay. */
    LEAVE,
    /**
     * Room is short: those leave too that heat has not heard of for so long that it forgot them. A
     * hot set that does not fill the disk would else never call them cold.
     */
    LEAVE_WITH_FORGOTTEN
  }

  private final PlacementContext table;
  private final Placement.Run run;
  private final HotSet hotSet;
  private final List<SSTableReader> fastInputs;
  private final List<SSTableReader> hotSlowInputs;
  private final long fastInputBytes;
  private final RowMembership onFast;
  private final RowMembership onSlowAsHot;
  private final boolean slowInputs;
  private final boolean wholeRows;
  private final ColdRows coldRows;
  private final long allRowsRoomBytes;
  private final double compressionBefore;
  private final KeyCachePreload positions;
  private DecoratedKey key;

  /**
   * @param inputs the SSTables that are compacted; none for a flush
   * @param coldRows what becomes of rows on fast that are not hot
   */
  public PlacementRun(PlacementContext table, Collection<SSTableReader> inputs, ColdRows coldRows) {
    this(table, inputs, coldRows, table.recentHotSet());
  }

  /** The same, by a hot set that was chosen before. */
  public PlacementRun(
      PlacementContext table, Collection<SSTableReader> inputs, ColdRows coldRows, HotSet hotSet) {
    this.coldRows = coldRows;
    this.table = table;
    this.allRowsRoomBytes = inputs.isEmpty() ? table.allRowsRoomBytes() : 0;
    this.compressionBefore = compression(inputs.isEmpty() ? table.cfs().getLiveSSTables() : inputs);
    this.fastInputs =
        inputs.stream().filter(s -> table.disks().tierOf(s.descriptor) == Tier.FAST).toList();
    this.hotSlowInputs =
        inputs.stream()
            .filter(s -> table.disks().tierOf(s.descriptor) == Tier.SLOW)
            .filter(s -> SSTableTemperature.isHot(s, Tier.SLOW))
            .toList();
    this.fastInputBytes = table.disks().bytesOf(fastInputs);
    this.onFast = new RowMembership(fastInputs);
    this.onSlowAsHot = new RowMembership(hotSlowInputs);
    this.slowInputs = fastInputs.size() < inputs.size();
    long inputBytes = table.disks().bytesOf(inputs);
    long liveBytes = table.disks().liveBytes(Tier.FAST) + table.disks().liveBytes(Tier.SLOW);
    this.wholeRows = inputBytes >= WHOLE_ROWS_SHARE * liveBytes;
    this.hotSet = hotSet;
    this.positions = new KeyCachePreload(table.cfs(), table.heat().tracker());
    this.run =
        table
            .options()
            .placement()
            .make()
            .begin(
                new Placement.Situation(
                    hotSet,
                    table.fast().roomBytes(),
                    table.cfs().getDirectories().getWriteableLocations()[0].getAvailableSpace(),
                    () -> isAmongHot(key),
                    ThreadLocalRandom.current()::nextDouble));
  }

  /** Whether the row belongs among hot ones: on fast, where there is room. */
  public boolean isHot(DecoratedKey row) {
    key = row;
    long id = KeyIds.of(row);
    boolean hot =
        switch (coldRows) {
          case STAY -> true;
          case LEAVE -> run.choose(id) == Tier.FAST;
          case LEAVE_WITH_FORGOTTEN -> run.choose(id) == Tier.FAST && !table.heat().isForgotten(id);
        };
    return hot && !table.isTooOldForFast(row);
  }

  /**
   * Where a row goes that found no room on fast. Only heat says that it is worth an SSTable apart;
   * the other placements ask for room alone.
   */
  SlowTarget withoutRoom() {
    return isByHeat() ? SlowTarget.SLOW_HOT : SlowTarget.SLOW_COLD;
  }

  private boolean isByHeat() {
    return table.options().placement().isByHeat();
  }

  /** What a flush may put on fast besides hot rows. */
  long coldRoomBytes() {
    return isByHeat() ? Math.max(allRowsRoomBytes, table.coldRoomBytes()) : 0;
  }

  /**
   * Whether a flush puts rows on fast whatever their heat, as the table is small. Nothing needs to
   * be known of them.
   */
  boolean bringsAllToFast() {
    return allRowsRoomBytes > 0;
  }

  /**
   * Whether a row that is not hot may fill idle room. Where that is not for all rows it must leave
   * once room is short.
   */
  boolean mayFillIdleRoom(DecoratedKey row) {
    long id = KeyIds.of(row);
    return bringsAllToFast()
        || hotSet.temperatureOf(id) == Temperature.COLD
        || table.heat().isForgotten(id);
  }

  /** How many of {@code rows} rows are likely to be hot; sizes bloom filters. */
  long expectedHotKeys(long rows) {
    long stay =
        Stream.concat(fastInputs.stream(), hotSlowInputs.stream())
            .mapToLong(SSTableReader::estimatedKeys)
            .sum();
    return isByHeat() && coldRows != ColdRows.STAY
        ? Math.min(rows, Math.max(MIN_FILTER_KEYS, Math.max(stay, hotSet.hotKeys())))
        : rows;
  }

  /** Of {@code writtenBytes} that were written to fast, what did not lie there before. */
  long comingToFast(long writtenBytes) {
    return Math.max(0, writtenBytes - fastInputBytes);
  }

  /**
   * Opens the reservation of the run. It must leave room: compacting the largest shard writes its
   * output while its inputs still lie there. What the run itself merges may use that room. A
   * compaction that only brings rows up leaves that for the shards that it makes larger, and room
   * for flushes: updates of the hottest rows that had to go to slow would send all reads of these
   * rows there.
   *
   * @param ofFlush whether it copies what was flushed, and may use the room of flushes
   */
  public FastQuota.Reservation reserve(boolean ofFlush) {
    Map<Path, Long> merged = new HashMap<>();
    for (SSTableReader input : fastInputs) {
      merged.put(
          input.descriptor.fileFor(SSTableFormat.Components.DATA).toPath(),
          table.disks().bytesOf(input));
    }
    long forCompaction = table.room().ofLargestShardBytes();
    boolean onlyBringsUp = slowInputs && fastInputs.isEmpty() && !ofFlush;
    FastQuota.Terms terms =
        onlyBringsUp
            ? new FastQuota.Terms(
                table.room().ofFlushesBytes(), table.room().ofCompactionBytes(), Map.of())
            : new FastQuota.Terms(0, forCompaction, merged);
    return table.fast().reserve(terms);
  }

  /**
   * Takes note of a row that was appended to {@code writer}.
   *
   * @param before the writer's position before the row
   * @param position where it is
   */
  void written(
      DecoratedKey row,
      Tier tier,
      SSTableWriter writer,
      long before,
      AbstractRowIndexEntry position) {
    if (bringsAllToFast()) {
      return;
    }
    positions.written(writer.descriptor, row, position);
    long bytes = onDiskBytes(writer, writer.getFilePointer() - before);
    // Flushes and compactions of little see updates of rows: a row is more than its last update.
    if (wholeRows) {
      table.heat().tracker().recordSize(KeyIds.of(row), bytes);
    } else {
      table.heat().tracker().recordPart(KeyIds.of(row), bytes);
    }
    if (tier == Tier.FAST && slowInputs && !isOnFast(row)) {
      table.moves().promotedRows.inc();
      table.moves().promotedBytes.inc(bytes);
    } else if (tier == Tier.SLOW && isOnFast(row)) {
      table.moves().demotedRows.inc();
      table.moves().demotedBytes.inc(bytes);
    }
  }

  /** SSTables are complete and about to be read. */
  void completed(Collection<SSTableReader> sstables) {
    positions.completed(sstables);
  }

  /** A small SSTable does not tell how far it will be compressed before it is complete. */
  private long onDiskBytes(SSTableWriter writer, long uncompressedBytes) {
    long position = writer.getFilePointer();
    double ratio =
        position < TRUSTED_BYTES
            ? compressionBefore
            : Math.min(1.0, (double) writer.getEstimatedOnDiskBytesWritten() / position);
    return (long) (uncompressedBytes * ratio) + QuotaGuard.INDEX_BYTES_BESIDE_KEY + USUAL_KEY_BYTES;
  }

  /** What is left of a byte in {@code sstables}; 1 if there are none. */
  private static double compression(Collection<SSTableReader> sstables) {
    long compressed = sstables.stream().mapToLong(SSTableReader::onDiskLength).sum();
    long uncompressed = sstables.stream().mapToLong(SSTableReader::uncompressedLength).sum();
    return uncompressed == 0 ? 1 : Math.min(1.0, (double) compressed / uncompressed);
  }

  /** A copy was left out of the output: its row is read from slow from now on. */
  public void dropped() {
    table.moves().demotedRows.inc();
  }

  public void refusedByQuota() {
    table.moves().refusedRows.inc();
  }

  private boolean isAmongHot(DecoratedKey row) {
    return isOnFast(row) || onSlowAsHot.contain(row);
  }

  private boolean isOnFast(DecoratedKey row) {
    return (!slowInputs && !fastInputs.isEmpty()) || onFast.contain(row);
  }
}
