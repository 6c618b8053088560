/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.redis.RespConnection.Refusal;
import io.kasane.engine.server.OwnerMark;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A numbered database of a Redis server that an operator runs. Thread-safe. */
final class OperatorRedis implements RespServer {
  private static final Pattern DATABASE = Pattern.compile("[0-9]{1,4}");
  private static final byte[] OWNER = RedisWords.of("kasane:owner");

  /** What the server calls a connection that changes the database. */
  private static final Pattern CLIENT =
      Pattern.compile("^id=([0-9]+) .*? name=([^ ]*)", Pattern.MULTILINE);

  private final EngineServer address;
  private final Durability durability;
  private final Path directory;

  /** A server that is not asked for anything yet. */
  OperatorRedis(EngineServer address, EngineOptions options) {
    if (!DATABASE.matcher(address.database()).matches()) {
      throw new EngineException(
          Kind.FAILED,
          "engines.redis.server.database: '"
              + address.database()
              + "' is not a number, such as 0; take that of an empty database");
    }
    this.address = address;
    this.durability = options.durability();
    this.directory = options.directory();
  }

  @Override
  public RespConnection connect(Duration maxCall, Duration maxStart) {
    try {
      RespConnection connection = RespConnection.open(address, maxCall);
      try {
        logIn(connection);
        return connection;
      } catch (IOException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (IOException e) {
      throw new EngineException(Kind.UNREACHABLE, this + ": " + e.getMessage(), e);
    }
  }

  private void logIn(RespConnection connection) throws IOException {
    Optional<String> password = address.password();
    if (password.isPresent()) {
      byte[] word = RedisWords.of(password.get());
      required(
          address.user().isPresent()
              ? connection.call(RedisWords.of("AUTH"), RedisWords.of(address.user().get()), word)
              : connection.call(RedisWords.of("AUTH"), word));
    }
    // Refused while it reads what it holds into memory, as all that follows would be.
    required(connection.call(RedisWords.of("SELECT"), RedisWords.of(address.database())));
    required(connection.call(RedisWords.of("EXISTS"), OWNER));
  }

  @Override
  public int starts() {
    return 0;
  }

  @Override
  public void requireOwn(RespConnection connection) throws IOException {
    requireSettings(connection);
    String mark = OwnerMark.of(directory);
    Object found = required(connection.call(RedisWords.of("GET"), OWNER));
    long keys = (Long) required(connection.call(RedisWords.of("DBSIZE")));
    try {
      OwnerMark.require(
          this.toString(), mark, found == null ? null : RedisWords.text(found), keys > 0);
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, e.getMessage(), e);
    }
    endOthers(connection, "kasane-" + mark);
    // Of two that find it empty one is refused.
    required(connection.call(RedisWords.of("SETNX"), OWNER, RedisWords.of(mark)));
    String now = RedisWords.text(required(connection.call(RedisWords.of("GET"), OWNER)));
    if (!now.equals(mark)) {
      throw new EngineException(Kind.FAILED, this + " was taken by another node just now");
    }
  }

  private void endOthers(RespConnection connection, String name) throws IOException {
    byte[] client = RedisWords.of("CLIENT");
    String own = String.valueOf(required(connection.call(client, RedisWords.of("ID"))));
    String all = RedisWords.text(required(connection.call(client, RedisWords.of("LIST"))));
    Matcher each = CLIENT.matcher(all);
    while (each.find()) {
      if (each.group(2).equals(name) && !each.group(1).equals(own)) {
        connection.call(
            client, RedisWords.of("KILL"), RedisWords.of("ID"), RedisWords.of(each.group(1)));
      }
    }
    required(connection.call(client, RedisWords.of("SETNAME"), RedisWords.of(name)));
  }

  private void requireSettings(RespConnection connection) throws IOException {
    require(connection, "appendonly", Set.of("yes"));
    require(
        connection,
        "appendfsync",
        durability == Durability.SYNC ? Set.of("always") : Set.of("always", "everysec"));
    require(connection, "maxmemory-policy", Set.of("noeviction"));
    if (setting(connection, "maxmemory").equals("0")) {
      throw new EngineException(
          Kind.FAILED,
          this + ": maxmemory is 0 there, without a bound: set it there, such as to 4gb");
    }
  }

  private void require(RespConnection connection, String setting, Set<String> good)
      throws IOException {
    String value = setting(connection, setting);
    if (!good.contains(value)) {
      throw new EngineException(
          Kind.FAILED,
          this
              + ": "
              + setting
              + " is "
              + value
              + " there, and must be "
              + String.join(" or ", good)
              + ": set it there");
    }
  }

  private static String setting(RespConnection connection, String name) throws IOException {
    Object answer =
        required(
            connection.call(RedisWords.of("CONFIG"), RedisWords.of("GET"), RedisWords.of(name)));
    return answer instanceof List<?> pair && pair.size() == 2
        ? RedisWords.text(pair.get(1))
        : "unknown";
  }

  private static Object required(Object answer) throws IOException {
    if (answer instanceof Refusal refusal) {
      throw new IOException(refusal.message());
    }
    return answer;
  }

  /** It stays the operator's. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "Redis at " + address;
  }
}
