/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.redis.RespConnection.Refusal;
import io.kasane.engine.server.ChangeLock;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls of one server: reads on as many connections as there are readers at a time, changes on one.
 * Thread-safe.
 */
final class RedisCalls implements AutoCloseable {
  private static final int MAX_IDLE = 64;

  /** Who reads has other replicas to go to: coordinators are to find out soon. */
  private static final Duration MAX_READ = Duration.ofSeconds(3);

  private static final Duration MAX_START = Duration.ofHours(6);

  private static final byte[] INFO = RedisWords.of("INFO");
  private static final byte[] PERSISTENCE = RedisWords.of("persistence");
  private static final String ALL_WRITTEN = "\naof_buffer_length:0\r";
  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final RespServer server;
  private final Duration maxCall;
  private final Duration maxRead;
  private final boolean isWrittenAtOnce;
  private final ConcurrentLinkedDeque<RespConnection> idle = new ConcurrentLinkedDeque<>();
  private final ChangeLock writer;
  private RespConnection writing;

  /** What the server calls the connection of the last change; null before the first. */
  private byte[] writingId;

  /** Which start of the server that is of. */
  private int writingStart;

  /** Whether the last change was answered, or can be applied no more. */
  private volatile boolean isSettled = true;

  /**
   * Calls of a server that is started by the first.
   *
   * @param maxCall of one change: a server that is stopped holds no thread for longer, and no
   *     reader for as long
   * @param isWrittenAtOnce whether the server writes each change to its log before it answers
   */
  RedisCalls(RespServer server, Duration maxCall, boolean isWrittenAtOnce) {
    this.server = server;
    this.isWrittenAtOnce = isWrittenAtOnce;
    this.maxCall = maxCall;
    this.maxRead = maxCall.compareTo(MAX_READ) < 0 ? maxCall : MAX_READ;
    this.writer = new ChangeLock(server, maxRead);
  }

  /**
   * Starts the server, waits until it has read what it holds, however long it takes, and connects
   * for changes.
   */
  void start() {
    server.connect(maxCall, MAX_START).close();
    writer.lock();
    try {
      connectWriter();
    } catch (IOException e) {
      throw failed(e);
    } finally {
      writer.unlock();
    }
  }

  /** Makes a call that changes nothing. */
  Object read(byte[]... command) {
    if (!isSettled) {
      settle();
    }
    RespConnection connection = idle.pollFirst();
    if (connection != null) {
      try {
        return readOn(connection, command);
      } catch (IOException e) {
        connection.close(); // the server may have been started anew since
      } catch (Error e) {
        connection.close();
        throw e;
      }
    }
    connection = server.connect(maxRead, maxRead);
    try {
      return readOn(connection, command);
    } catch (IOException e) {
      connection.close();
      throw failed(e);
    } catch (Error e) {
      connection.close();
      throw e;
    }
  }

  /** Returns what the server tells of itself: lines of a name, a colon and a value. */
  String info(String section) {
    return RedisWords.text(read(INFO, RedisWords.of(section)));
  }

  private Object readOn(RespConnection connection, byte[]... command) throws IOException {
    Object answer = connection.call(command);
    if (idle.size() < MAX_IDLE) {
      idle.addFirst(connection);
    } else {
      connection.close();
    }
    return required(answer);
  }

  /**
   * Sends commands of one transaction. If it fails without an answer they may have been applied;
   * whoever reads or changes next sees to it that they are not any more.
   */
  void change(List<byte[][]> commands) {
    writer.lock();
    try {
      List<Object> answers = null;
      try {
        if (writing == null) {
          connectWriter();
        }
        List<Object> answered = writing.callAll(commands);
        if (!isWrittenAtOnce) {
          awaitWritten();
        }
        answers = answered;
      } catch (IOException e) {
        throw failed(e);
      } finally {
        if (answers == null && writing != null) {
          isSettled = false;
          writing.close();
          writing = null;
        }
      }
      for (Object answer : answers) {
        if (required(answer) instanceof List<?> answersOfTransaction) {
          answersOfTransaction.forEach(this::required);
        }
      }
    } finally {
      writer.unlock();
    }
  }

  /**
   * While it syncs in the background, Redis keeps changes to itself for a second or two, and would
   * lose them if it were killed. Asked on the same connection, a server that was started since then
   * cannot answer for it.
   */
  private void awaitWritten() throws IOException {
    long deadline = System.nanoTime() + maxCall.toNanos();
    while (!RedisWords.text(required(writing.call(INFO, PERSISTENCE))).contains(ALL_WRITTEN)) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the log was not written in " + maxCall.toMillis() + " ms");
      }
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
    }
  }

  /** What was sent and not answered could else be applied between two reads of a snapshot. */
  private void settle() {
    writer.lockForRead();
    try {
      if (!isSettled) {
        try (RespConnection connection = server.connect(maxRead, maxRead)) {
          endLast(connection);
          writingId = null;
        } catch (IOException e) {
          throw failed(e);
        }
      }
    } finally {
      writer.unlock();
    }
  }

  private void endLast(RespConnection connection) throws IOException {
    if (writingId != null && writingStart == server.starts()) {
      connection.call(
          RedisWords.of("CLIENT"), RedisWords.of("KILL"), RedisWords.of("ID"), writingId);
    }
    isSettled = true;
  }

  /** Ends the connection of a change that nobody has an answer to: it is applied now, or never. */
  private void connectWriter() throws IOException {
    RespConnection connection = server.connect(maxCall, maxCall);
    try {
      endLast(connection);
      server.requireOwn(connection);
      long id = (Long) required(connection.call(RedisWords.of("CLIENT"), RedisWords.of("ID")));
      writingStart = server.starts();
      writingId = RedisWords.of(id);
      writing = connection;
    } catch (IOException | RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  private Object required(Object answer) {
    if (answer instanceof Refusal refusal) {
      throw new EngineException(kindOf(refusal.message()), server + ": " + refusal.message());
    }
    return answer;
  }

  private static Kind kindOf(String message) {
    return message.startsWith("OOM") || message.startsWith("EXECABORT") ? Kind.FULL : Kind.FAILED;
  }

  private EngineException failed(IOException e) {
    return new EngineException(Kind.UNREACHABLE, server + ": " + e, e);
  }

  @Override
  public void close() {
    writer.lock();
    try {
      if (writing != null) {
        writing.close();
        writing = null;
      }
    } finally {
      writer.unlock();
    }
    for (RespConnection each = idle.poll(); each != null; each = idle.poll()) {
      each.close();
    }
    server.close();
  }
}
