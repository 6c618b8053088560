/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.bench.rdma.store.Wire;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.ItemPage;
import io.kasane.ramp.store.StoreException;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Versions on servers of the paper's store, without replicas and collections. Whoever asks has the
 * answer when the method returns: his thread sends to all servers that it concerns, and then waits
 * for one after the other. Thread-safe.
 */
public final class ShardedStore implements VersionStore, Closeable {
  private final StoreServers servers;
  private final SlotReads slots;
  private final ConcurrentLinkedDeque<Link[]> free = new ConcurrentLinkedDeque<>();

  /** A client of these servers, which stay the caller's. */
  public ShardedStore(StoreServers servers) throws IOException {
    this.servers = servers;
    this.slots = servers.transport().isOneSided() ? new SlotReads(servers.arenas()) : null;
  }

  /** Connections to all servers, which nobody else uses until they are given back. */
  Link[] borrow() {
    Link[] links = free.pollFirst();
    try {
      return links == null ? servers.connect() : links;
    } catch (IOException e) {
      throw new StoreException("a server cannot be reached: " + e.getMessage(), e);
    }
  }

  void giveBack(Link[] links) {
    free.addFirst(links);
  }

  /** What became of reads that ask nobody. */
  public OneSided oneSided() {
    return slots == null ? OneSided.NONE : slots.counts();
  }

  /** Each key has one replica. */
  @Override
  public boolean isQuorum(Strength strength) {
    return true;
  }

  // ---- requests

  private int serverOf(ArenaKey key) {
    return Math.floorMod(key.hashCode(), servers.count());
  }

  private static ArenaKey key(ItemKey key) {
    byte[] table = key.table().getBytes(StandardCharsets.UTF_8);
    ByteBuffer partition = ByteBuffer.allocate(table.length + 1 + key.partition().length());
    partition.put(table).put((byte) 0).put(key.partition().toBuffer()).flip();
    return ArenaKey.of(partition, key.item().toBuffer());
  }

  /**
   * Sends a request to each server that it concerns, and takes the answers.
   *
   * @param which of the keys
   * @param asks writes what follows a key
   * @param takes reads the answer to a key
   */
  private void ask(
      byte operation,
      ArenaKey[] keys,
      int[] which,
      BiConsumer<Integer, ByteBuffer> asks,
      BiConsumer<Integer, ByteBuffer> takes) {
    Link[] all = borrow();
    boolean[] asked = new boolean[all.length];
    try {
      for (int server = 0; server < all.length; server++) {
        asked[server] = send(operation, all[server], server, keys, which, asks);
      }
      for (int server = 0; server < all.length; server++) {
        if (asked[server]) {
          ByteBuffer in = all[server].receive();
          for (int i : which) {
            if (serverOf(keys[i]) == server) {
              takes.accept(i, in);
            }
          }
        }
      }
      giveBack(all);
    } catch (IOException | BufferOverflowException e) {
      close(all);
      throw new StoreException("a server was not asked, or did not answer: " + e, e);
    }
  }

  private boolean send(
      byte operation,
      Link link,
      int server,
      ArenaKey[] keys,
      int[] which,
      BiConsumer<Integer, ByteBuffer> asks)
      throws IOException {
    ByteBuffer out = null;
    int countAt = 0;
    short count = 0;
    for (int i : which) {
      if (serverOf(keys[i]) == server) {
        if (out == null) {
          out = link.begin().put(operation);
          countAt = out.position();
          out.putShort((short) 0);
        }
        Wire.putBytes(out, keys[i].toBytes());
        asks.accept(i, out);
        count++;
      }
    }
    if (out == null) {
      return false;
    }
    out.putShort(countAt, count);
    link.send();
    return true;
  }

  private static int[] all(ArenaKey[] keys) {
    return IntStream.range(0, keys.length).toArray();
  }

  private static Answer answer(ByteBuffer in) {
    byte[] bytes = Wire.getBytes(in);
    return bytes == null
        ? new Answer.Absent()
        : new Answer.Present(VersionCodec.decode(ByteBuffer.wrap(bytes)));
  }

  /** Completed outside of what can fail. */
  private static <T> CompletionStage<T> failed(RuntimeException e) {
    return CompletableFuture.failedStage(e);
  }

  // ---- what the protocol asks for

  @Override
  public CompletionStage<List<Answer>> readCommitted(List<ItemKey> wanted, Strength strength) {
    try {
      ArenaKey[] keys = wanted.stream().map(ShardedStore::key).toArray(ArenaKey[]::new);
      Answer[] answers = new Answer[keys.length];
      int[] doubtful = slots == null ? all(keys) : doubtful(keys, answers);
      if (doubtful.length > 0) {
        ask(
            Wire.GET,
            keys,
            doubtful,
            (i, out) -> {},
            (i, in) -> {
              answers[i] = answer(in);
            });
      }
      return CompletableFuture.completedStage(Arrays.asList(answers));
    } catch (StoreException e) {
      return failed(e);
    }
  }

  private int[] doubtful(ArenaKey[] keys, Answer[] answers) {
    int[] doubtful = new int[keys.length];
    int count = 0;
    for (int i = 0; i < keys.length; i++) {
      answers[i] = slots.read(serverOf(keys[i]), keys[i]);
      if (answers[i] == null) {
        doubtful[count++] = i;
      }
    }
    return Arrays.copyOf(doubtful, count);
  }

  @Override
  public CompletionStage<List<Candidates>> readCandidates(
      List<CandidateQuery> queries, Strength strength) {
    try {
      ArenaKey[] keys = queries.stream().map(query -> key(query.key())).toArray(ArenaKey[]::new);
      Candidates[] found = new Candidates[keys.length];
      ask(
          Wire.CANDIDATES,
          keys,
          all(keys),
          (i, out) -> {
            out.putShort((short) queries.get(i).timestamps().size());
            queries.get(i).timestamps().forEach(timestamp -> Wire.putTimestamp(out, timestamp));
          },
          (i, in) -> {
            found[i] = candidates(in);
          });
      return CompletableFuture.completedStage(Arrays.asList(found));
    } catch (StoreException e) {
      return failed(e);
    }
  }

  private static Candidates candidates(ByteBuffer in) {
    Answer committed = answer(in);
    int count = in.getShort();
    Map<Timestamp, Version> prepared = new HashMap<>();
    for (int i = 0; i < count; i++) {
      Timestamp timestamp = Timestamp.read(in);
      prepared.put(timestamp, VersionCodec.decode(ByteBuffer.wrap(Wire.getBytes(in))));
    }
    return new Candidates(committed, prepared);
  }

  @Override
  public CompletionStage<Void> prepare(Collection<Write> writes) {
    return send(Wire.PREPARE, List.copyOf(writes));
  }

  /** Without having been prepared: what has no control needs no more. */
  public CompletionStage<Void> write(Collection<Write> writes) {
    return send(Wire.WRITE, List.copyOf(writes));
  }

  private CompletionStage<Void> send(byte operation, List<Write> writes) {
    try {
      ArenaKey[] keys = writes.stream().map(write -> key(write.key())).toArray(ArenaKey[]::new);
      ask(
          operation,
          keys,
          all(keys),
          (i, out) -> Wire.putBytes(out, VersionCodec.encode(writes.get(i).version()).toArray()),
          (i, in) -> {});
      return CompletableFuture.completedStage(null);
    } catch (StoreException e) {
      return failed(e);
    }
  }

  @Override
  public CompletionStage<Void> commit(Collection<Write> writes) {
    try {
      List<Write> unknown = new ArrayList<>();
      List<Write> all = List.copyOf(writes);
      ArenaKey[] keys = all.stream().map(write -> key(write.key())).toArray(ArenaKey[]::new);
      ask(
          Wire.COMMIT,
          keys,
          all(keys),
          (i, out) -> Wire.putTimestamp(out, all.get(i).version().timestamp()),
          (i, in) -> {
            if (in.get() != 0) {
              unknown.add(all.get(i));
            }
          });
      return unknown.isEmpty() ? CompletableFuture.completedStage(null) : write(unknown);
    } catch (StoreException e) {
      return failed(e);
    }
  }

  /** Servers collect by themselves, some seconds after the commit. */
  @Override
  public CompletionStage<Void> collect(Write committed) {
    return CompletableFuture.completedStage(null);
  }

  @Override
  public CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    return forget(Wire.PURGE, key, deletion);
  }

  @Override
  public CompletionStage<Void> drop(ItemKey key, Timestamp prepared) {
    return forget(Wire.DROP, key, prepared);
  }

  private CompletionStage<Void> forget(byte operation, ItemKey key, Timestamp timestamp) {
    try {
      ask(
          operation,
          new ArenaKey[] {key(key)},
          new int[] {0},
          (i, out) -> Wire.putTimestamp(out, timestamp),
          (i, in) -> {});
      return CompletableFuture.completedStage(null);
    } catch (StoreException e) {
      return failed(e);
    }
  }

  @Override
  public CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
    return failed(new UnsupportedOperationException("this store has no collections"));
  }

  @Override
  public CompletionStage<Void> openSweep(String table, Bytes partition) {
    return failed(new UnsupportedOperationException("this store has no collections"));
  }

  @Override
  public CompletionStage<Void> sweep(String table, Bytes partition) {
    return failed(new UnsupportedOperationException("this store has no collections"));
  }

  // ---- what locking asks for

  /**
   * Waits until the keys are locked, and reads them. All clients take servers, and within a server
   * keys, in the same order, so that none waits for another that waits for it.
   *
   * @param links of whoever locks
   */
  List<Answer> lock(Link[] links, boolean isExclusive, List<ItemKey> wanted) throws IOException {
    ArenaKey[] keys = wanted.stream().map(ShardedStore::key).toArray(ArenaKey[]::new);
    Answer[] answers = new Answer[keys.length];
    for (int server = 0; server < links.length; server++) {
      int[] which = onServer(server, keys);
      if (which.length > 0) {
        ByteBuffer out = links[server].begin().put(Wire.LOCK).putShort((short) which.length);
        out.put((byte) (isExclusive ? 1 : 0));
        for (int i : which) {
          Wire.putBytes(out, keys[i].toBytes());
        }
        links[server].send();
        ByteBuffer in = links[server].receive();
        for (int i : which) {
          answers[i] = answer(in);
        }
      }
    }
    return Arrays.asList(answers);
  }

  /**
   * Gives back what these links have locked; waits for it only if something is written.
   *
   * @param version of all the keys; empty if none is written
   */
  void unlock(Link[] links, List<ItemKey> locked, Optional<Version> version) throws IOException {
    ArenaKey[] keys = locked.stream().map(ShardedStore::key).toArray(ArenaKey[]::new);
    byte[] bytes = version.map(one -> VersionCodec.encode(one).toArray()).orElse(null);
    for (int server = 0; server < links.length; server++) {
      int[] which = onServer(server, keys);
      if (which.length > 0) {
        ByteBuffer out = links[server].begin().put(Wire.UNLOCK);
        out.putShort((short) (bytes == null ? 0 : which.length));
        for (int i : bytes == null ? new int[0] : which) {
          Wire.putBytes(out, keys[i].toBytes());
          Wire.putBytes(out, bytes);
        }
        links[server].send();
        links[server].forget();
      }
    }
    if (bytes != null) {
      for (Link link : links) {
        link.awaitForgotten();
      }
    }
  }

  private int[] onServer(int server, ArenaKey[] keys) {
    return Arrays.stream(all(keys)).filter(i -> serverOf(keys[i]) == server).toArray();
  }

  /** What is borrowed stays open. */
  @Override
  public void close() {
    if (slots != null) {
      slots.close();
    }
    free.forEach(ShardedStore::close);
    free.clear();
  }

  static void close(Link[] links) {
    for (Link link : links) {
      try {
        link.close();
      } catch (IOException e) {
        // It has ended either way.
      }
    }
  }
}
