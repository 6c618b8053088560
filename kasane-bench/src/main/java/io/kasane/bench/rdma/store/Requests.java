/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import io.kasane.arena.ArenaKey;
import io.kasane.bench.ramp.lock.LockRequest;
import io.kasane.bench.ramp.lock.LockTable;
import io.kasane.ramp.version.Timestamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Does what clients ask for, one request after the other: on one thread. */
final class Requests {
  /** Nobody who holds locks is left alone: his connection ends with him. */
  private static final Duration LEASE = Duration.ofDays(1);

  private record Locked(Caller caller, LockRequest request, List<ArenaKey> keys) {}

  private final Shard shard;
  private final LockTable locks = new LockTable(LEASE.toNanos(), System::nanoTime);
  private final Map<Caller, Locked> lockedBy = new HashMap<>();
  private final Map<LockRequest, Locked> lockedOf = new HashMap<>();
  private long nextLock;
  private long busyNanos;

  Requests(Shard shard) {
    this.shard = shard;
  }

  /** Answers a request, at once or when its locks are free. */
  void handle(ByteBuffer in, Caller caller) throws IOException {
    long began = System.nanoTime();
    byte operation = in.get();
    int keys = in.getShort();
    switch (operation) {
      case Wire.LOCK -> lock(in, keys, caller);
      case Wire.UNLOCK -> unlock(in, keys, caller);
      default -> {
        answer(operation, in, keys, caller.reply());
        caller.send();
      }
    }
    busyNanos += System.nanoTime() - began;
  }

  private void answer(byte operation, ByteBuffer in, int keys, ByteBuffer out) {
    for (int i = 0; i < keys; i++) {
      ArenaKey key = Wire.getKey(in);
      switch (operation) {
        case Wire.GET -> Wire.putBytes(out, shard.read(key));
        case Wire.CANDIDATES -> candidates(key, in, out);
        case Wire.PREPARE -> shard.prepare(key, Wire.getBytes(in));
        case Wire.COMMIT -> out.put((byte) (shard.commit(key, Timestamp.read(in)) ? 0 : 1));
        case Wire.WRITE -> shard.write(key, Wire.getBytes(in));
        case Wire.DROP -> shard.drop(key, Timestamp.read(in));
        case Wire.PURGE -> shard.purge(key, Timestamp.read(in));
        default -> throw new IllegalArgumentException("operation " + operation);
      }
    }
    if (operation == Wire.BUSY) {
      out.putLong(busyNanos);
    }
  }

  private void candidates(ArenaKey key, ByteBuffer in, ByteBuffer out) {
    Wire.putBytes(out, shard.read(key));
    int wanted = in.getShort();
    int countAt = out.position();
    out.putShort((short) 0);
    int found = 0;
    for (int i = 0; i < wanted; i++) {
      Timestamp timestamp = Timestamp.read(in);
      byte[] version = shard.prepared(key, timestamp);
      if (version != null) {
        Wire.putTimestamp(out, timestamp);
        Wire.putBytes(out, version);
        found++;
      }
    }
    out.putShort(countAt, (short) found);
  }

  // ---- locks

  private void lock(ByteBuffer in, int count, Caller caller) throws IOException {
    boolean isExclusive = in.get() != 0;
    List<ArenaKey> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(Wire.getKey(in));
    }
    long[] names = keys.stream().mapToLong(ArenaKey::hashCode).sorted().distinct().toArray();
    LockRequest request = new LockRequest(nextLock++, isExclusive, names);
    Locked locked = new Locked(caller, request, keys);
    lockedBy.put(caller, locked);
    lockedOf.put(request, locked);
    grant(locks.acquire(request));
  }

  private void unlock(ByteBuffer in, int count, Caller caller) throws IOException {
    for (int i = 0; i < count; i++) {
      shard.write(Wire.getKey(in), Wire.getBytes(in));
    }
    caller.reply();
    caller.send();
    release(caller);
  }

  /** A client has gone: nobody waits for it. */
  void leave(Caller caller) throws IOException {
    release(caller);
  }

  private void release(Caller caller) throws IOException {
    Locked locked = lockedBy.remove(caller);
    if (locked != null) {
      lockedOf.remove(locked.request);
      grant(locks.release(locked.request));
    }
  }

  private void grant(List<LockRequest> ready) throws IOException {
    for (LockRequest request : ready) {
      Locked locked = lockedOf.get(request);
      ByteBuffer out = locked.caller.reply();
      for (ArenaKey key : locked.keys) {
        Wire.putBytes(out, shard.read(key));
      }
      locked.caller.send();
    }
  }
}
