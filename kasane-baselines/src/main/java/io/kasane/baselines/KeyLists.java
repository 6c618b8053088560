/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.policy.ListedPolicy;
import io.kasane.heat.track.HeatMemory;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.host.config.NodeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.dht.IPartitioner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lists of keys that this node offers to tables. Thread-safe. */
final class KeyLists {
  private static final Logger logger = LoggerFactory.getLogger(KeyLists.class);
  private static final long RETRY_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Optional<Path> directory;
  private final HeatMemory memory;
  private final LongSupplier nanoTime;

  /**
   * @param directory that has the lists; absent = there are none
   * @param memory bounds the keys of all lists together
   */
  KeyLists(Optional<Path> directory, HeatMemory memory, LongSupplier nanoTime) {
    this.directory = directory;
    this.memory = memory;
    this.nanoTime = nanoTime;
  }

  /**
   * Reads a list, or says in the log why it cannot.
   *
   * @param table for messages
   * @param name of the file
   */
  ListedKeys open(String table, String name, IPartitioner partitioner) {
    ListedKeys listed = new ListedKeys(table, name, partitioner);
    listed.read();
    return listed;
  }

  /** What a table's list says; nothing as long as it cannot be read. */
  final class ListedKeys implements HeatPolicy {
    private final String table;
    private final String name;
    private final IPartitioner partitioner;
    private volatile Optional<ListedPolicy> keys = Optional.empty();
    private String lastTrouble = "";
    private long triedAtNanos;
    private int roomKeys;
    private boolean closed;

    private ListedKeys(String table, String name, IPartitioner partitioner) {
      this.table = table;
      this.name = name;
      this.partitioner = partitioner;
    }

    @Override
    public HotSet select(HeatSnapshot heat) {
      return keys.map(policy -> policy.select(heat)).orElseGet(HotSet::unknown);
    }

    @Override
    public String name() {
      return "listed";
    }

    /** Tries again, now and then, to read a list that could not be read. */
    @Override
    public synchronized void tick() {
      if (keys.isEmpty() && !closed && nanoTime.getAsLong() - triedAtNanos >= RETRY_NANOS) {
        read();
      }
    }

    private synchronized void read() {
      triedAtNanos = nanoTime.getAsLong();
      try {
        keys = Optional.of(new ListedPolicy(KeyList.read(home(), name, partitioner, this::fits)));
        logger.info("{}: the key list {} is in force", table, name);
      } catch (IOException e) {
        giveBack();
        if (!lastTrouble.equals(e.getMessage())) {
          lastTrouble = e.getMessage();
          logger.error(
              "{}: {}. Its rows stay where they are; correct that, and the list is read again"
                  + " within a minute or two.",
              table,
              lastTrouble);
        }
      }
    }

    private Path home() throws IOException {
      return directory.orElseThrow(
          () ->
              new IOException(
                  "heat_policy is 'listed' but kasane.yaml of this node offers no lists: set "
                      + NodeConfig.KEY_LISTS_DIRECTORY
                      + " there to the directory that has them and restart the node, or ALTER TABLE"
                      + " to another heat_policy"));
    }

    private boolean fits(int wantedKeys) {
      boolean fits = memory.list(wantedKeys);
      roomKeys = fits ? wantedKeys : 0;
      return fits;
    }

    private void giveBack() {
      memory.unlist(roomKeys);
      roomKeys = 0;
    }

    /** Gives its memory back; it says nothing from now on. */
    @Override
    public synchronized void close() {
      closed = true;
      keys = Optional.empty();
      giveBack();
    }
  }
}
