/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.cql.store.Contracts;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.ReadResult;
import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.protocol.Session;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Read-atomic transactions by the library that users take, sessions, garbage collection and the
 * check of markers included.
 */
public final class RampSystem implements TransactionSystem {
  private static final long LOOK_MILLIS = 50;
  private static final int MAX_WINDOWS = 5;

  private final String table;
  private final RampOptions options;
  private final TransactionNumbers numbers;
  private final ProcessEnvironment environment = new ProcessEnvironment();
  private final RampClient ramp;

  private RampSystem(
      VersionStore store, String table, RampOptions options, TransactionNumbers numbers) {
    this.table = table;
    this.options = options;
    this.numbers = numbers;
    this.ramp = new RampClient(store, options, environment);
  }

  /** Over a store that has the table, and stays the caller's. */
  public static TransactionSystem over(
      VersionStore store, String table, RampOptions options, TransactionNumbers numbers) {
    return new RampSystem(store, table, options, numbers);
  }

  /** Over tables of a keyspace; the table is made if it is missing. */
  static TransactionSystem open(
      CqlSession session,
      String keyspace,
      String table,
      RampOptions options,
      CqlStoreOptions storeOptions,
      TransactionNumbers numbers) {
    KeyspaceFacts facts =
        Answers.of(new SchemaReader(session).keyspace(keyspace))
            .orElseThrow(() -> new IllegalArgumentException("no keyspace " + keyspace));
    Levels levels = Levels.forKeyspace(facts);
    CqlVersionStore store = new CqlVersionStore(session, facts, levels, storeOptions, options);
    Schema.change(session, TableLayout.create(keyspace, table, Contracts.of(options, levels)));
    Answers.of(store.open(table));
    return over(store, table, options, numbers);
  }

  @Override
  public TransactionClient connect() {
    return new Client(ramp.newSession());
  }

  @Override
  public void settle() throws InterruptedException {
    long end = System.nanoTime() + options.gcWindow().multipliedBy(MAX_WINDOWS).toNanos();
    while (ramp.statistics().versionsKept() > 0 && System.nanoTime() - end < 0) {
      Thread.sleep(LOOK_MILLIS);
    }
  }

  @Override
  public void close() {
    ramp.close();
    environment.close();
  }

  private final class Client implements TransactionClient {
    private final Session session;

    Client(Session session) {
      this.session = session;
    }

    @Override
    public Reading read(int[] keys) {
      Set<ItemKey> wanted = new HashSet<>();
      for (int key : keys) {
        wanted.add(itemKey(key));
      }
      ReadResult result = Answers.of(ramp.get(ReadSet.of(wanted), session));
      List<SeenValue> seen = new ArrayList<>(keys.length);
      result.versions().forEach((key, version) -> seen.add(seen(key, version)));
      return new Reading(seen, result.rounds());
    }

    @Override
    public long write(int[] keys, byte[] payload) {
      StampedValue value = new StampedValue(numbers.next(), keys, payload);
      Optional<Bytes> bytes = Optional.of(Bytes.copyOf(value.toBytes()));
      Map<ItemKey, Optional<Bytes>> writes = new HashMap<>();
      for (int key : keys) {
        writes.put(itemKey(key), bytes);
      }
      Answers.of(ramp.put(writes, session));
      return value.number();
    }

    @Override
    public void close() {}
  }

  private ItemKey itemKey(int key) {
    return new ItemKey(table, Bytes.copyOf(partition(key)));
  }

  /** The partition of a key. */
  static ByteBuffer partition(int key) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(key).flip();
  }

  private static SeenValue seen(ItemKey key, Version version) {
    return new SeenValue(
        key.partition().toBuffer().getInt(),
        version.timestamp(),
        StampedValue.of(version.value().orElseThrow().toBuffer()));
  }
}
