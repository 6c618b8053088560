/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import io.kasane.engine.spi.CloseGuard;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineLimits;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One Redis server. A table is a sorted set of its keys and a hash of its values, by a number that
 * the hash {@code tables} has for its name. This process is the only one that changes them; changes
 * are made one batch at a time.
 */
final class RedisEngine implements Engine {
  private static final int KEY_BYTES = 1 << 20;
  private static final int VALUE_BYTES = 256 << 20;
  private static final int NAME_BYTES = 511;

  /** What an empty server takes. */
  private static final long SERVER_BYTES = 4L << 20;

  private static final byte[] TABLES = RedisWords.of("tables");
  private static final byte[] NEXT_NUMBER = RedisWords.of("next");

  /** Runs commands of which each has its length before it: as one, also while memory is full. */
  private static final byte[] DELETIONS =
      RedisWords.of(
          """
          local i = 1
          while i <= #ARGV do
            local words = tonumber(ARGV[i])
            redis.call(unpack(ARGV, i + 1, i + words))
            i = i + words + 1
          end
          """);

  /** What a script may hand to a command. */
  private static final int MAX_WORDS = 1_000;

  /** Directories whose server this process has. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final String name;
  private final Path realDirectory;
  private final RedisCalls calls;
  private final RedisRoom room;
  private final UndoLog.Budget undo;
  private final CloseGuard lifetime;
  private final ReentrantLock writer = new ReentrantLock();
  private final Map<String, RedisTable> tables = new TreeMap<>();

  private RedisEngine(
      EngineOptions options, String name, Path realDirectory, RedisCalls calls, RedisRoom room) {
    this.name = name;
    this.realDirectory = realDirectory;
    this.calls = calls;
    this.room = room;
    this.undo = new UndoLog.Budget(options.memoryBytes());
    this.lifetime = new CloseGuard(name);
  }

  /**
   * Opens it.
   *
   * @param executable of its own server; not called for an operator's
   * @param maxCall how long a call of the server may take
   */
  static RedisEngine open(Supplier<Path> executable, EngineOptions options, Duration maxCall) {
    String name =
        options
            .server()
            .map(server -> "Redis at " + server)
            .orElse("Redis in " + options.directory());
    long capacity = Math.min(options.capacityBytes(), halfOfMemory());
    try {
      RespServer server =
          options.server().isPresent()
              ? new OperatorRedis(options.server().get(), options)
              : new RedisServer(executable.get(), options, capacity + SERVER_BYTES);
      Path directory = Files.createDirectories(options.directory()).toRealPath();
      if (!OPEN.add(directory)) {
        throw new EngineException(Kind.FAILED, name + " is open already");
      }
      RedisCalls calls = new RedisCalls(server, maxCall, options.durability() == Durability.SYNC);
      RedisRoom room =
          options.server().isPresent()
              ? new OperatorRoom(calls)
              : new AppendOnlyFile(directory, calls, capacity);
      RedisEngine engine = new RedisEngine(options, name, directory, calls, room);
      try {
        engine.calls.start();
        engine.load();
        return engine;
      } catch (RuntimeException | Error e) {
        engine.free();
        throw e;
      }
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, name + ": " + e, e);
    }
  }

  /**
   * All that it holds is in memory, and a file that is written anew takes as much again at worst.
   */
  private static long halfOfMemory() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getTotalMemorySize()
        / 2;
  }

  private void load() {
    List<?> all = (List<?>) calls.read(RedisWords.of("HGETALL"), TABLES);
    for (int i = 0; i < all.size(); i += 2) {
      String table = RedisWords.text(all.get(i));
      tables.put(table, newTable(table, RedisWords.text(all.get(i + 1))));
    }
    forgetDropped();
  }

  /** Of tables that somebody read when they were dropped. */
  private void forgetDropped() {
    Set<String> known = new TreeSet<>();
    tables.values().forEach(table -> known.add(table.number()));
    for (Object key : (List<?>) calls.read(RedisWords.of("KEYS"), RedisWords.of("v*"))) {
      String number = RedisWords.text(key).substring(1);
      if (!known.contains(number)) {
        forget(number);
      }
    }
  }

  private RedisTable newTable(String table, String number) {
    return new RedisTable(this, table, number, undo);
  }

  @Override
  public EngineLimits limits() {
    return new EngineLimits(KEY_BYTES, VALUE_BYTES);
  }

  @Override
  public EngineTable table(String table) {
    int nameBytes = table.getBytes(UTF_8).length;
    if (nameBytes == 0 || nameBytes > NAME_BYTES) {
      throw new IllegalArgumentException(
          "a table's name has " + nameBytes + " bytes, and must have 1 to " + NAME_BYTES);
    }
    return exclusively(
        () -> {
          RedisTable found = tables.get(table);
          if (found == null) {
            String number = String.valueOf(calls.read(RedisWords.of("INCR"), NEXT_NUMBER));
            change(
                List.<byte[][]>of(
                    words("HSET", TABLES, RedisWords.of(table), RedisWords.of(number))));
            found = newTable(table, number);
            tables.put(table, found);
          }
          return found;
        });
  }

  @Override
  public Set<String> tables() {
    return exclusively(() -> new TreeSet<>(tables.keySet()));
  }

  /** Calls with the writer's lock, while the engine is open. */
  <T> T exclusively(Supplier<T> call) {
    return lifetime.call(
        () -> {
          writer.lock();
          try {
            return call.get();
          } finally {
            writer.unlock();
          }
        });
  }

  /**
   * Applies commands, all or none; none if memory is full. Only for who holds the writer's lock.
   */
  void change(List<byte[][]> commands) {
    List<byte[][]> transaction = new ArrayList<>(commands.size() + 2);
    transaction.add(words("MULTI"));
    transaction.addAll(commands);
    transaction.add(words("EXEC"));
    calls.change(transaction);
  }

  /** Deletes by commands, all or none. Only for who holds the writer's lock. */
  void delete(List<byte[][]> commands) {
    List<byte[]> arguments = new ArrayList<>(List.of(DELETIONS, RedisWords.of(0)));
    for (byte[][] command : commands) {
      arguments.add(RedisWords.of(command.length));
      arguments.addAll(List.of(command));
    }
    calls.change(List.<byte[][]>of(words("EVAL", arguments.toArray(byte[][]::new))));
  }

  /**
   * Returns commands that remove members from a key's value.
   *
   * @param command takes the key and members
   */
  static List<byte[][]> removals(String command, byte[] key, List<byte[]> members) {
    List<byte[][]> commands = new ArrayList<>();
    for (int from = 0; from < members.size(); from += MAX_WORDS) {
      List<byte[]> arguments = new ArrayList<>(List.of(key));
      arguments.addAll(members.subList(from, Math.min(members.size(), from + MAX_WORDS)));
      commands.add(words(command, arguments.toArray(byte[][]::new)));
    }
    return commands;
  }

  /** Returns the command by which a table has its name. */
  static byte[][] naming(RedisTable table) {
    return words("HSET", TABLES, RedisWords.of(table.name()), RedisWords.of(table.number()));
  }

  /** Keeps the log from growing by deletions alone. Only for who holds the writer's lock. */
  void makeRoom() {
    room.lookOnceASecond();
  }

  /** Makes sure that there is room on the disk. Only for who holds the writer's lock. */
  void requireRoom(long bytes) {
    room.requireRoom(bytes);
  }

  /**
   * Only for who holds the writer's lock.
   *
   * @param isRead whether a snapshot still sees it: {@link #forget} follows then
   */
  void drop(RedisTable table, boolean isRead) {
    List<byte[][]> commands = new ArrayList<>();
    commands.add(words("HDEL", TABLES, RedisWords.of(table.name())));
    if (!isRead) {
      commands.add(words("UNLINK", keysOf(table.number()), valuesOf(table.number())));
    }
    delete(commands);
    tables.remove(table.name());
  }

  /** Nobody reads a dropped table any more. */
  void forget(String number) {
    writer.lock();
    try {
      delete(List.<byte[][]>of(words("UNLINK", keysOf(number), valuesOf(number))));
    } finally {
      writer.unlock();
    }
  }

  static byte[] keysOf(String number) {
    return RedisWords.of("k" + number);
  }

  static byte[] valuesOf(String number) {
    return RedisWords.of("v" + number);
  }

  static byte[][] words(String command, byte[]... arguments) {
    byte[][] words = new byte[arguments.length + 1][];
    words[0] = RedisWords.of(command);
    System.arraycopy(arguments, 0, words, 1, arguments.length);
    return words;
  }

  RedisCalls calls() {
    return calls;
  }

  CloseGuard lifetime() {
    return lifetime;
  }

  String name() {
    return name;
  }

  /** What was applied is on the disk, or with the operating system, as the server was told. */
  @Override
  public void sync() {
    lifetime.run(() -> calls.read(RedisWords.of("PING")));
  }

  @Override
  public EngineUsage usage() {
    int count = tables().size();
    return lifetime.call(
        () -> new EngineUsage(room.fileBytes(), room.capacityBytes(), room.memoryBytes(), count));
  }

  @Override
  public void close() {
    lifetime.close(this::free);
  }

  private void free() {
    calls.close();
    OPEN.remove(realDirectory);
  }
}
