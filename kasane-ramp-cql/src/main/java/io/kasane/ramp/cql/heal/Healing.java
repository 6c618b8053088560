/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.heal;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Reads keys together, and heals the transactions that stand in the way. Only what a read has found
 * to be lost is healed: a transaction that is merely under way is left alone. For one thread.
 */
public final class Healing {
  private final RampSession session;
  private final boolean heals;
  private final BiConsumer<LostVersionException, Optional<Timestamp>> found;
  private final Map<String, RampTable<Bytes, Bytes>> tables = new HashMap<>();
  private final Map<String, RampCollection<Bytes, Bytes, Bytes>> collections = new HashMap<>();
  private final Set<Timestamp> lost = new HashSet<>();

  /**
   * Heals in the keyspace of a session.
   *
   * @param session stays the caller's
   * @param heals whether to heal what is found, or only to tell it
   * @param found told each transaction that lost versions, and what it was rewritten as
   */
  public Healing(
      RampSession session,
      boolean heals,
      BiConsumer<LostVersionException, Optional<Timestamp>> found) {
    this.session = session;
    this.heals = heals;
    this.found = found;
  }

  /** The transactions that were found to have lost versions. */
  public Set<Timestamp> lost() {
    return Set.copyOf(lost);
  }

  /**
   * Reads keys together, again after each healing, until that is possible. Where nothing is healed
   * the first loss ends it.
   *
   * @throws io.kasane.ramp.protocol.RampException if they cannot be read for other reasons, all
   *     replicas not being up above all
   */
  public void read(Collection<ItemKey> keys) {
    boolean again = true;
    while (again) {
      try {
        wanted(keys).run();
        again = false;
      } catch (LostVersionException e) {
        again = heal(e);
      }
    }
  }

  private boolean heal(LostVersionException e) {
    boolean known = !lost.add(e.timestamp());
    if (!heals) {
      if (!known) {
        found.accept(e, Optional.empty());
      }
      return false;
    }
    if (known) {
      // Others write at the same time, or replicas that forget: no reason to go on for ever.
      throw e;
    }
    found.accept(e, Optional.of(session.heal(e)));
    return true;
  }

  /** Whoever was healed is another transaction, which a session that saw the old one would miss. */
  private RampRead wanted(Collection<ItemKey> keys) {
    RampRead read = session.newSession().read();
    for (ItemKey key : keys) {
      if (key.item().length() == 0) {
        read.get(table(key.table()), key.partition());
      } else {
        read.item(collection(key.table()), key.partition(), key.item());
      }
    }
    return read;
  }

  private RampTable<Bytes, Bytes> table(String name) {
    return tables.computeIfAbsent(name, each -> session.table(each, Codecs.blob(), Codecs.blob()));
  }

  private RampCollection<Bytes, Bytes, Bytes> collection(String name) {
    return collections.computeIfAbsent(
        name, each -> session.collection(each, Codecs.blob(), Codecs.blob(), Codecs.blob()));
  }
}
