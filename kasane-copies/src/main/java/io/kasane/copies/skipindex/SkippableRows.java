/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import io.kasane.copies.sstables.Descriptors;
import io.kasane.copies.sstables.KeyIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.UUIDBasedSSTableId;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link SkipIndex} of a table's SSTables, kept over restarts. Thread-safe. */
public final class SkippableRows {
  private static final Logger logger = LoggerFactory.getLogger(SkippableRows.class);

  private final ColumnFamilyStore cfs;
  private final Path file;
  private final SkipIndex<Set<SSTableReader>, Descriptor> skipIndex;
  private volatile boolean isRestored;

  /**
   * Nothing is left out yet.
   *
   * @param mostBytes most memory outside the heap
   * @param file that keeps it over a restart
   */
  public SkippableRows(ColumnFamilyStore cfs, LongSupplier mostBytes, Path file) {
    this.cfs = cfs;
    this.file = file;
    this.skipIndex =
        new SkipIndex<>(
            mostBytes,
            () -> cfs.getTracker().getView().liveSSTables(),
            SkippableRows::names,
            Optional.of(new SkipIndexLog<>(file, SkippableRows::nameForEver, System::nanoTime)));
  }

  private static Set<Descriptor> names(Set<SSTableReader> sstables) {
    return sstables.stream().map(sstable -> sstable.descriptor).collect(Collectors.toSet());
  }

  /**
   * A name that no other SSTable of the table will ever have. Sequential ids come again after a
   * crash; the digest of what they hold does not.
   */
  private static String nameForEver(Descriptor sstable) {
    if (sstable.id instanceof UUIDBasedSSTableId) {
      return sstable.id.toString();
    }
    File data = sstable.fileFor(SSTableFormat.Components.DATA);
    File digest = sstable.fileFor(SSTableFormat.Components.DIGEST);
    try {
      return sstable.id + "." + data.length() + "." + Files.readString(digest.toPath()).strip();
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }

  /**
   * What was known before the node was restarted is in force again. Called when the table's
   * SSTables are live, by the thread that writes.
   */
  public void restore() {
    if (isRestored) {
      return;
    }
    skipIndex.restore(this::liveByName);
    isRestored = true;
  }

  private Map<String, Descriptor> liveByName() {
    Map<String, Descriptor> live = new HashMap<>();
    for (SSTableReader sstable : cfs.getLiveSSTables()) {
      String name = nameForEver(sstable.descriptor);
      if (name != null) {
        live.put(name, sstable.descriptor);
      }
    }
    return live;
  }

  /** Whether what is a copy is known by now; before, every SSTable counts as none. */
  public boolean isRestored() {
    return isRestored;
  }

  public void close() {
    skipIndex.close();
  }

  /** Deletes the file; the table is gone. */
  public void delete() {
    try {
      SkipIndexLog.delete(file);
    } catch (IOException e) {
      logger.warn("Could not delete what is known of copies of {}: {}", cfs, e.getMessage());
    }
  }

  /** Whether a read may leave out what {@code sstable} holds of a row. */
  public boolean contains(Descriptor sstable, DecoratedKey key) {
    return skipIndex.contains(sstable, KeyIds.of(key));
  }

  /** See {@link SkipIndex#bytes}. */
  public long bytes() {
    return skipIndex.bytes();
  }

  /** See {@link SkipIndex#isHalfFull}. */
  public boolean isHalfFull() {
    return skipIndex.isHalfFull();
  }

  /** Live slow SSTables hold rows of which live SSTables on fast hold the same, and no others. */
  public void copied(Map<Descriptor, SortedTokenSet> tokens, Collection<Descriptor> copies) {
    skipIndex.add(tokens, copies);
  }

  /** See {@link SkipIndex#copies}. */
  public Set<Descriptor> copies() {
    return skipIndex.copies();
  }

  /** See {@link SkipIndex#sourcesOf}. */
  public Optional<Set<Descriptor>> sourcesOf(Collection<Descriptor> copies) {
    return skipIndex.sourcesOf(copies);
  }

  /**
   * See {@link SkipIndex#announce}.
   *
   * @param dropped tokens of copies that are in no output
   * @param ofCopies whether all inputs are copies
   */
  public void announce(
      Set<SSTableReader> inputs,
      Collection<SSTableReader> outputs,
      SortedTokenSet dropped,
      boolean ofCopies) {
    skipIndex.announce(Descriptors.of(inputs), Descriptors.of(outputs), dropped, ofCopies);
  }

  /** See {@link SkipIndex#inherit}. */
  public void inherited(Descriptor slow, Map<Descriptor, SortedTokenSet> tokens) {
    skipIndex.inherit(tokens, slow);
  }

  /** See {@link SkipIndex#settled}. */
  public void settled(Set<SSTableReader> inputs) {
    skipIndex.settled(Descriptors.of(inputs));
  }

  /** See {@link SkipIndex#retract}. */
  public void retract(Set<SSTableReader> inputs) {
    skipIndex.retract(Descriptors.of(inputs));
  }

  /** See {@link SkipIndex#retain}. */
  public void retain(Set<Descriptor> live, LongPredicate needed) {
    skipIndex.retain(live, needed);
  }
}
