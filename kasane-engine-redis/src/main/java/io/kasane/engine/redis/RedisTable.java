/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A sorted set of keys, whose order is that of their bytes, and a hash with the values. */
final class RedisTable implements EngineTable {
  private static final byte[] SCORE = RedisWords.of("0");

  private final RedisEngine engine;
  private final String name;
  private final String number;
  private final byte[] keys;
  private final byte[] values;
  private final UndoLog undo;
  private final AtomicBoolean forgotten = new AtomicBoolean();
  private volatile boolean dropped;

  /** Whether a drop has failed that may have been made: the table has no name then. */
  private boolean mayBeUnnamed;

  RedisTable(RedisEngine engine, String name, String number, UndoLog.Budget budget) {
    this.engine = engine;
    this.name = name;
    this.number = number;
    this.keys = RedisEngine.keysOf(number);
    this.values = RedisEngine.valuesOf(number);
    this.undo = new UndoLog(engine.name() + ", table " + name, budget);
  }

  String name() {
    return name;
  }

  String number() {
    return number;
  }

  byte[] keys() {
    return keys;
  }

  byte[] values() {
    return values;
  }

  UndoLog undo() {
    return undo;
  }

  RedisCalls calls() {
    return engine.calls();
  }

  @Override
  public EngineSnapshot snapshot() {
    return engine
        .lifetime()
        .retained(
            () -> {
              long at = undo.open();
              if (dropped) { // asked now, it was there when the snapshot was opened
                undo.close(at);
                forgetIfDropped();
                throw isDropped();
              }
              return new RedisSnapshot(this, at);
            });
  }

  void closed(long snapshot) {
    try {
      undo.close(snapshot);
      forgetIfDropped();
    } finally {
      engine.lifetime().released();
    }
  }

  private void forgetIfDropped() {
    if (dropped && !undo.hasSnapshots() && forgotten.compareAndSet(false, true)) {
      try {
        engine.forget(number);
      } catch (EngineException e) {
        // It is looked for when the engine is opened.
      }
    }
  }

  @Override
  public void apply(EngineBatch batch) {
    engine.limits().requireWithin(batch);
    engine.exclusively(
        () -> {
          requireThere();
          if (!batch.isEmpty()) {
            apply(batch.lastChanges());
          }
          return null;
        });
  }

  private void apply(Map<byte[], byte[]> changes) {
    List<byte[]> puts = new ArrayList<>();
    List<byte[]> scored = new ArrayList<>();
    List<byte[]> deletes = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<byte[], byte[]> change : changes.entrySet()) {
      if (change.getValue() == null) {
        deletes.add(change.getKey());
      } else {
        puts.addAll(List.of(change.getKey(), change.getValue()));
        scored.addAll(List.of(SCORE, change.getKey()));
        bytes += 2L * change.getKey().length + change.getValue().length;
      }
    }
    if (puts.isEmpty()) {
      engine.makeRoom();
    } else {
      engine.requireRoom(bytes);
    }
    List<byte[][]> commands = new ArrayList<>();
    if (mayBeUnnamed) {
      commands.add(RedisEngine.naming(this));
    }
    commands.addAll(RedisEngine.removals("HDEL", values, deletes));
    commands.addAll(RedisEngine.removals("ZREM", keys, deletes));
    if (!puts.isEmpty()) {
      commands.add(command("HSET", values, puts));
      commands.add(command("ZADD", keys, scored));
    }
    boolean isKept = undo.begin();
    try {
      if (isKept) {
        List<byte[]> changed = new ArrayList<>(changes.keySet());
        undo.keep(changed, valuesOf(changed));
      }
      if (puts.isEmpty()) {
        engine.delete(commands);
      } else {
        engine.change(commands);
      }
      mayBeUnnamed = false;
    } finally {
      undo.end();
    }
  }

  private static byte[][] command(String command, byte[] key, List<byte[]> arguments) {
    List<byte[]> all = new ArrayList<>(arguments.size() + 1);
    all.add(key);
    all.addAll(arguments);
    return RedisEngine.words(command, all.toArray(byte[][]::new));
  }

  /** One command, which Redis makes as one: nothing need be kept for it. */
  @Override
  public List<byte[]> getAll(List<byte[]> wanted) {
    return engine
        .lifetime()
        .call(
            () -> {
              requireThere();
              return valuesOf(wanted);
            });
  }

  List<byte[]> valuesOf(List<byte[]> wanted) {
    if (wanted.isEmpty()) {
      return List.of();
    }
    List<?> found = (List<?>) calls().read(command("HMGET", values, wanted));
    List<byte[]> all = new ArrayList<>(found.size());
    found.forEach(value -> all.add((byte[]) value));
    return all;
  }

  private void requireThere() {
    if (dropped) {
      throw isDropped();
    }
  }

  private EngineException isDropped() {
    return new EngineException(Kind.CLOSED, engine.name() + ": the table " + name + " was dropped");
  }

  @Override
  public Size size() {
    return engine
        .lifetime()
        .call(
            () -> {
              requireThere();
              long entries = (Long) calls().read(RedisEngine.words("ZCARD", keys));
              return new Size(entries, memory(keys) + memory(values));
            });
  }

  /** Redis looks at a few of its entries. */
  private long memory(byte[] of) {
    Object bytes = calls().read(RedisEngine.words("MEMORY", RedisWords.of("USAGE"), of));
    return bytes == null ? 0 : (Long) bytes;
  }

  @Override
  public void drop() {
    engine.exclusively(
        () -> {
          requireThere();
          dropped = true;
          boolean isRead = undo.hasSnapshots();
          try {
            engine.drop(this, isRead);
          } catch (RuntimeException | Error e) {
            dropped = false;
            mayBeUnnamed = true;
            throw e;
          }
          if (isRead) {
            forgetIfDropped(); // who read it may have ended meanwhile
          } else {
            forgotten.set(true);
          }
          return null;
        });
  }
}
