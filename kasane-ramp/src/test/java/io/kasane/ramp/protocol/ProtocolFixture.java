/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingFilter;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Siblings;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A client over a store in memory, and short words for what tests do with them. */
abstract class ProtocolFixture {
  static final ItemKey A = key("a");
  static final ItemKey B = key("b");
  static final ItemKey C = key("c");

  final ManualEnvironment environment = new ManualEnvironment(20);
  final MemoryStore store = new MemoryStore();
  RampClient client = client(RampOptions.defaults());
  Session session = client.newSession();

  final RampClient client(RampOptions options) {
    return new RampClient(store, options, environment);
  }

  /** Uses a client with other options, or without some rules. */
  final void use(RampOptions options, Rule... without) {
    EnumSet<Rule> rules = EnumSet.allOf(Rule.class);
    rules.removeAll(Set.of(without));
    client = new RampClient(store, options, environment, rules);
    session = client.newSession();
  }

  static ItemKey key(String name) {
    return new ItemKey("t", Bytes.utf8(name));
  }

  static ItemKey item(String collection, String name) {
    return new ItemKey("t", Bytes.utf8(collection), Bytes.utf8(name));
  }

  /** A time some seconds ago, or ahead. */
  final Timestamp at(int seconds) {
    return new Timestamp(environment.wallMicros() + seconds * 1_000_000L, 5);
  }

  static Version version(Timestamp timestamp, Mode mode, ItemKey... keys) {
    Siblings siblings =
        switch (mode) {
          case FAST -> new SiblingNames(Set.of(keys));
          case SMALL -> new UnknownSiblings();
          case HYBRID -> SiblingFilter.of(Set.of(keys), 1e-9);
        };
    return new Version(timestamp, siblings, Optional.of(Bytes.utf8("at " + timestamp)));
  }

  /** Everywhere and done. */
  final Version commit(Timestamp timestamp, Mode mode, ItemKey... keys) {
    Version version = prepare(timestamp, mode, keys);
    for (ItemKey key : keys) {
      store.doCommit(new Write(key, version));
    }
    return version;
  }

  final Version prepare(Timestamp timestamp, Mode mode, ItemKey... keys) {
    Version version = version(timestamp, mode, keys);
    for (ItemKey key : keys) {
      store.doPrepare(new Write(key, version));
    }
    return version;
  }

  /** Prepared on all keys, committed on the first only. */
  final Version half(Timestamp timestamp, Mode mode, ItemKey... keys) {
    Version version = prepare(timestamp, mode, keys);
    store.doCommit(new Write(keys[0], version));
    return version;
  }

  final ReadResult get(ItemKey... keys) {
    return done(client.get(ReadSet.of(Set.of(keys)), session));
  }

  final Timestamp put(ItemKey... keys) {
    return done(client.put(values(keys), session));
  }

  static Map<ItemKey, Optional<Bytes>> values(ItemKey... keys) {
    Map<ItemKey, Optional<Bytes>> values = new HashMap<>();
    for (ItemKey key : keys) {
      values.put(key, Optional.of(Bytes.utf8("value")));
    }
    return values;
  }

  /** The result, which must be there by now. */
  static <T> T done(CompletionStage<T> stage) {
    assertThat(stage.toCompletableFuture()).isDone();
    return stage.toCompletableFuture().join();
  }

  /** The failure, which must be there by now. */
  static <E extends Throwable> E failure(Class<E> type, CompletionStage<?> stage) {
    assertThat(stage.toCompletableFuture()).isDone();
    Throwable thrown = catchThrowable(() -> stage.toCompletableFuture().join());
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    assertThat(cause).isInstanceOf(type);
    return type.cast(cause);
  }

  static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
