/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.view;

import io.kasane.copies.sstables.KeyIds;
import io.kasane.copies.sstables.LiveSSTables;
import io.kasane.copies.sstables.Tier;
import io.kasane.heat.policy.SizingCurve;
import io.kasane.heat.track.HeatRanking;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.KeyHeat;
import io.kasane.tier.pick.TimeWindows;
import io.kasane.tier.table.TieredTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;

/** One table as the views show it: a reading of {@link TieredTable} at the time of each call. */
public final class TableReport {
  /** Each costs a look into filters of all SSTables; so a share is known to a tenth or so. */
  private static final int SAMPLED_ROWS = 20;

  private final TieredTable table;

  public TableReport(TieredTable table) {
    this.table = table;
  }

  TieredTable table() {
    return table;
  }

  public String keyspace() {
    return table.cfs().getKeyspaceName();
  }

  public String name() {
    return table.cfs().getTableName();
  }

  /** The SSTables of a tier, summed up. */
  public record TierSum(int sstables, long bytes, long partitions, long reads) {}

  public TierSum sum(Tier tier) {
    int sstables = 0;
    long bytes = 0;
    long partitions = 0;
    long reads = 0;
    for (SSTableReader sstable : table.cfs().getLiveSSTables()) {
      if (table.disks().tierOf(sstable.descriptor) == tier) {
        sstables++;
        bytes += table.disks().bytesOf(sstable);
        partitions += sstable.getEstimatedPartitionSize().count();
        reads += table.readStats().readsOf(sstable.descriptor);
      }
    }
    return new TierSum(sstables, bytes, partitions, reads);
  }

  /**
   * The slow SSTables of a window of time.
   *
   * @param isExpired whether nothing in it lives any more: it goes as soon as nothing needs it
   */
  public record Window(long beginsAtMillis, int sstables, long bytes, boolean isExpired) {
    private Window and(Window other) {
      return new Window(
          beginsAtMillis,
          sstables + other.sstables,
          bytes + other.bytes,
          isExpired && other.isExpired);
    }
  }

  /** The windows, the oldest first; none of a table without. */
  public Collection<Window> windows() {
    Optional<TimeWindows> cut = table.options().picker().windows();
    if (cut.isEmpty()) {
      return List.of();
    }
    long gcBefore = CompactionManager.getDefaultGcBefore(table.cfs(), FBUtilities.nowInSeconds());
    TreeMap<Long, Window> windows = new TreeMap<>();
    for (SSTableReader sstable : table.cfs().getLiveSSTables()) {
      if (table.disks().tierOf(sstable.descriptor) == Tier.SLOW) {
        long begins = cut.get().startOf(cut.get().millis(sstable.getMaxTimestamp()));
        boolean isExpired = sstable.getMaxLocalDeletionTime() < gcBefore;
        windows.merge(
            begins, new Window(begins, 1, table.disks().bytesOf(sstable), isExpired), Window::and);
      }
    }
    return windows.values();
  }

  /** Look-ups in a tier's SSTables that took longer than memory and most solid-state disks do. */
  public long waits(Tier tier) {
    return (tier == Tier.FAST ? table.readStats().fastWaits : table.readStats().slowWaits).sum();
  }

  /**
   * One of the hottest keys.
   *
   * @param key as CQL shows it; the token where no read and no SSTable told the key, or where keys
   *     are not for all who may read the view
   * @param tier where its newest copy on disk lies; null if it is on no disk or not known
   */
  public record HotKey(String key, double heat, double accessShare, long sizeBytes, Tier tier) {}

  public List<HotKey> hottest(int most) {
    HeatSnapshot heat = table.heat().tracker().snapshot();
    boolean showsKeys = table.nodeHeat().showsKeys().getAsBoolean();
    List<HotKey> keys = new ArrayList<>();
    List<KeyHeat> hottest =
        heat.isSample()
            ? table.heat().names().hottest(table.heat().tracker(), most)
            : heat.hottest(most);
    for (KeyHeat key : hottest) {
      ByteBuffer bytes = nameOf(key.keyId());
      keys.add(
          new HotKey(
              showsKeys && bytes != null ? toCql(bytes) : "token " + key.keyId(),
              key.heat(),
              heat.totalHeat() == 0 ? 0 : key.heat() / heat.totalHeat(),
              key.sizeBytes(),
              bytes == null ? null : tierOf(bytes)));
    }
    return keys;
  }

  /** The key's bytes as reads left them, else as the SSTables hold them, else null. */
  private ByteBuffer nameOf(long keyId) {
    ByteBuffer sampled = table.heat().names().nameOf(keyId);
    if (sampled != null || !(table.cfs().getPartitioner() instanceof Murmur3Partitioner)) {
      return sampled;
    }
    Token token = new Murmur3Partitioner.LongToken(HeatTracker.knownOf(keyId));
    return LiveSSTables.look(table.cfs(), sstables -> keyOf(token, sstables));
  }

  /** Heat knows the upper bits of tokens: of a key's the least with these is asked for. */
  private static ByteBuffer keyOf(Token least, Iterable<SSTableReader> sstables) {
    for (SSTableReader sstable : sstables) {
      if (sstable.getLast().getToken().compareTo(least) >= 0) {
        DecoratedKey found =
            sstable.getFirst().getToken().compareTo(least) >= 0
                ? sstable.getFirst()
                : sstable.firstKeyBeyond(least.minKeyBound());
        if (found != null
            && HeatTracker.knownOf(KeyIds.of(found)) == HeatTracker.knownOf(idOf(least))) {
          return found.getKey();
        }
      }
    }
    return null;
  }

  private static long idOf(Token token) {
    return ((Murmur3Partitioner.LongToken) token).token;
  }

  private String toCql(ByteBuffer key) {
    TableMetadata metadata = table.cfs().metadata();
    return metadata.partitionKeyType.getString(key);
  }

  /** Fast only if no slow SSTable holds the key: then a read needs no slow disk. */
  private Tier tierOf(ByteBuffer bytes) {
    DecoratedKey key = table.cfs().decorateKey(bytes);
    return LiveSSTables.look(table.cfs(), key, sstables -> tierOf(key, sstables));
  }

  private Tier tierOf(DecoratedKey key, Iterable<SSTableReader> sstables) {
    Tier found = null;
    for (SSTableReader sstable : sstables) {
      if (sstable.getFirst().compareTo(key) <= 0
          && sstable.getLast().compareTo(key) >= 0
          && sstable.mayContainAssumingKeyIsInRange(key)
          && !(table.copiesRows() && table.skippable().contains(sstable.descriptor, key))) {
        if (table.disks().tierOf(sstable.descriptor) == Tier.SLOW) {
          return Tier.SLOW;
        }
        found = Tier.FAST;
      }
    }
    return found;
  }

  /**
   * What the fast disk would serve with another quota.
   *
   * @param fastQuotaBytes the quota
   * @param hotRows that would lie on fast
   * @param readShare share of the accesses that these rows get, 0 to 1
   * @param remark "today" for the quota of now, "knee" where more quota begins to bring less than
   *     on average, else ""
   */
  public record Sizing(long fastQuotaBytes, long hotRows, double readShare, String remark) {}

  /** By size, of the quota of now, of the knee, and of {@code count} other quotas at most. */
  public List<Sizing> sizing(int count) {
    SizingCurve curve = SizingCurve.of(table.heat().tracker().snapshot(), table.disks().rowBytes());
    double fill = table.fastFill();
    Map<Long, Sizing> sizings = new TreeMap<>();
    for (SizingCurve.Point point : curve.points(count)) {
      Sizing sizing = sizing(point, fill, "");
      sizings.put(sizing.fastQuotaBytes(), sizing);
    }
    if (!sizings.isEmpty()) {
      Sizing knee = sizing(curve.knee(), fill, "knee");
      sizings.put(knee.fastQuotaBytes(), knee);
    }
    long today = table.room().limitBytes();
    SizingCurve.Point now = curve.at((long) (fill * today));
    sizings.put(today, new Sizing(today, now.hotKeys(), now.accessShare(), "today"));
    return List.copyOf(sizings.values());
  }

  private static Sizing sizing(SizingCurve.Point point, double fill, String remark) {
    return new Sizing(
        (long) (point.hotBytes() / fill), point.hotKeys(), point.accessShare(), remark);
  }

  /**
   * Rows of like heat, and where they lie.
   *
   * @param firstRank of the hottest of them, from 1
   * @param lastRank of the coldest of them
   * @param accessShare that they get of all accesses, 0 to 1
   * @param fastShare share of them that is read from fast, of a sample
   * @param slowShare share of them that is read from slow; the rest lies on no disk yet
   */
  public record HeatBand(
      long firstRank, long lastRank, double accessShare, double fastShare, double slowShare) {}

  /** Bands of rows, the hottest first, each about twice as many rows as the last. */
  public List<HeatBand> heatMap() {
    HeatSnapshot heat = table.heat().tracker().snapshot();
    HeatRanking ranking = HeatRanking.byHeat(heat);
    List<HeatBand> bands = new ArrayList<>();
    int first = 1;
    while (first <= heat.size()) {
      int last = Math.min(heat.size(), 2 * first - 1);
      if (heat.size() - last < last) {
        last = heat.size();
      }
      bands.add(band(heat, ranking, first, last));
      first = last + 1;
    }
    return bands;
  }

  private HeatBand band(HeatSnapshot heat, HeatRanking ranking, int first, int last) {
    double sum = 0;
    int sampled = 0;
    int fast = 0;
    int slow = 0;
    int step = Math.max(1, (last - first + 1) / SAMPLED_ROWS);
    for (int rank = first; rank <= last; rank++) {
      int at = ranking.next();
      sum += heat.heatAt(at);
      ByteBuffer key = (rank - first) % step == 0 ? nameOf(heat.keyIdAt(at)) : null;
      if (key != null) {
        Tier tier = tierOf(key);
        sampled++;
        fast += tier == Tier.FAST ? 1 : 0;
        slow += tier == Tier.SLOW ? 1 : 0;
      }
    }
    double all = Math.max(1, sampled);
    double share = heat.totalHeat() == 0 ? 0 : sum / heat.totalHeat();
    long weight = heat.weight();
    return new HeatBand(
        (first - 1) * weight + 1, last * weight, weight * share, fast / all, slow / all);
  }

  /** One running compaction. */
  public record Task(long id, String kind, int sstables, long bytes, long startedAtMillis) {}

  public List<Task> tasks() {
    return table.tasks().all().stream()
        .map(
            e ->
                new Task(
                    e.id(), e.kind().label(), e.inputs().size(), e.bytes(), e.startedAtMillis()))
        .toList();
  }
}
