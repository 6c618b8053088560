/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Frames.Reply;
import io.kasane.rdma.wire.Frames.Request;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The arena of one table on another host. Connects in the background, and again when the connection
 * was lost; until then, and where no answer comes in time, all keys are {@link Outcome#SILENT}.
 * Thread-safe; nobody waits, but where the other host takes no more, and then as long as for an
 * answer at most.
 */
public final class RemoteArena implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(RemoteArena.class.getName());
  private static final Duration MAX_CONNECT = Duration.ofSeconds(2);

  /** Before another try, twice as long each time. */
  private static final long PAUSE_MILLIS = 1_000;

  private static final long MAX_PAUSE_MILLIS = 30_000;

  /** Before a token expires. */
  private static final Duration RENEWED = Duration.ofSeconds(30);

  private static final int BUFFER_BYTES = 64 << 10;
  private static final Answer SILENT = new Answer(Outcome.SILENT, null);

  private final String name;
  private final Supplier<CompletionStage<Admission>> admissions;
  private final long maxNanos;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(run -> daemon(run, "kasane-rdma-client"));
  private volatile Connection connection;
  private volatile boolean isClosed;
  private String lastTrouble = "";
  private long pauseMillis = PAUSE_MILLIS;

  /**
   * Begins to connect.
   *
   * @param name of the table, for the log
   * @param admissions asks the node for a token
   * @param maxWait of an answer: then the connection is given up, and another one is made
   */
  public RemoteArena(
      String name, Supplier<CompletionStage<Admission>> admissions, Duration maxWait) {
    this.name = name;
    this.admissions = admissions;
    this.maxNanos = maxWait.toNanos();
    timer.execute(this::connect);
    long look = Math.max(1, maxWait.toMillis() / 4);
    var unused = timer.scheduleWithFixedDelay(this::giveUpLate, look, look, TimeUnit.MILLISECONDS);
  }

  private static Thread daemon(Runnable run, String name) {
    Thread thread = new Thread(run, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Whether it is connected now. */
  public boolean isConnected() {
    return connection != null;
  }

  /**
   * Reads keys.
   *
   * @param keys as many as {@link Frames#MAX_KEYS} at most
   * @return what was found of each, in their order; never fails
   */
  public CompletionStage<List<Answer>> get(List<ArenaKey> keys) {
    Connection now = connection;
    return now == null ? CompletableFuture.completedStage(silence(keys.size())) : now.ask(keys);
  }

  private static List<Answer> silence(int keys) {
    return Collections.nCopies(keys, SILENT);
  }

  private static String reason(Throwable failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }

  // ---- connecting, on the timer's thread

  private void connect() {
    if (isClosed || connection != null) {
      return;
    }
    CompletionStage<Admission> asked;
    try {
      asked = admissions.get();
    } catch (RuntimeException e) {
      asked = CompletableFuture.failedStage(e); // the session is closed
    }
    asked.whenComplete(
        (admission, failure) -> {
          if (failure != null) {
            tryAgain("no token: " + reason(failure));
          } else if (!isClosed) {
            timer.execute(() -> open(admission));
          }
        });
  }

  private void open(Admission admission) {
    if (isClosed || connection != null) {
      return;
    }
    try {
      connection = new Connection(admission);
      isWell();
      LOGGER.log(
          Level.INFO,
          "{0} is read from memory of {1}:{2}",
          name,
          admission.host(),
          String.valueOf(admission.port()));
    } catch (IOException e) {
      tryAgain(admission.host() + ":" + admission.port() + ": " + reason(e));
    }
  }

  private synchronized void isWell() {
    lastTrouble = "";
    pauseMillis = PAUSE_MILLIS;
  }

  private synchronized void tryAgain(String trouble) {
    if (isClosed) {
      return;
    }
    if (!trouble.equals(lastTrouble)) {
      lastTrouble = trouble;
      LOGGER.log(Level.INFO, "{0} is read by CQL: {1}", name, trouble);
    }
    var unused = timer.schedule(this::connect, pauseMillis, TimeUnit.MILLISECONDS);
    pauseMillis = Math.min(MAX_PAUSE_MILLIS, 2 * pauseMillis);
  }

  private void giveUpLate() {
    Connection now = connection;
    if (now != null && now.isLate()) {
      now.end("no answer in " + Duration.ofNanos(maxNanos).toMillis() + " ms");
    } else if (now != null && now.expires.minus(RENEWED).isBefore(Instant.now())) {
      now.end("its token expires, and another one is asked for");
    }
  }

  @Override
  public void close() {
    isClosed = true;
    Connection now = connection;
    if (now != null) {
      now.end("closed");
    }
    timer.shutdownNow();
  }

  /** Somebody waits for an answer. */
  private record Waiting(
      long id, int keys, long sentNanos, CompletableFuture<List<Answer>> answer) {}

  /** One connection, until it ends. */
  private final class Connection {
    private final Socket socket = new Socket();
    private final Instant expires;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** In the order in which answers come. */
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean hasEnded = new AtomicBoolean();

    /** Guarded by {@code out}. */
    private long lastId;

    Connection(Admission admission) throws IOException {
      expires = admission.expires();
      try {
        socket.setTcpNoDelay(true);
        socket.connect(
            new InetSocketAddress(admission.host(), admission.port()),
            (int) MAX_CONNECT.toMillis());
        socket.setSoTimeout((int) MAX_CONNECT.toMillis());
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        out =
            new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
        Frames.writeHello(out, admission.token());
        String refusal = Frames.readWelcome(in);
        if (!refusal.isEmpty()) {
          throw new IOException(refusal);
        }
        socket.setSoTimeout(0);
      } catch (IOException | RuntimeException e) {
        socket.close();
        throw e;
      }
      daemon(this::read, "kasane-rdma-client-" + name).start();
    }

    CompletionStage<List<Answer>> ask(List<ArenaKey> keys) {
      CompletableFuture<List<Answer>> answer = new CompletableFuture<>();
      try {
        synchronized (out) {
          waiting.add(new Waiting(++lastId, keys.size(), System.nanoTime(), answer));
          Frames.writeRequest(out, new Request(lastId, keys));
          out.flush();
        }
      } catch (IOException e) {
        end(reason(e));
      }
      if (hasEnded.get()) {
        leaveUnanswered(); // it may have come too late for whoever ended it
      }
      return answer;
    }

    private void leaveUnanswered() {
      for (Waiting each = waiting.poll(); each != null; each = waiting.poll()) {
        each.answer().complete(silence(each.keys()));
      }
    }

    private void read() {
      try {
        while (true) {
          Reply reply = Frames.readReply(in);
          Waiting first = waiting.poll();
          if (first == null || first.id() != reply.id() || first.keys() != reply.answers().size()) {
            if (first != null) {
              first.answer().complete(silence(first.keys()));
            }
            throw new IOException("an answer that nobody waits for");
          }
          first.answer().complete(reply.answers());
        }
      } catch (IOException e) {
        end(reason(e));
      }
    }

    boolean isLate() {
      Waiting first = waiting.peek();
      return first != null && System.nanoTime() - first.sentNanos() > maxNanos;
    }

    void end(String reason) {
      if (!hasEnded.compareAndSet(false, true)) {
        return;
      }
      connection = null;
      try {
        socket.close(); // whoever writes is let go
      } catch (IOException e) {
        // It is closed.
      }
      leaveUnanswered();
      tryAgain(reason);
    }
  }
}
