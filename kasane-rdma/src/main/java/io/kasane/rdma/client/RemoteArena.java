/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.rdma.ucx.UcxSupport;
import io.kasane.rdma.wire.Frames;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The arena of one table on another host. Connects in the background, and again when the connection
 * was lost; until then, and where no answer comes in time, all keys are {@link Outcome#SILENT}.
 * Thread-safe; nobody waits, but where the other host takes no more, and then as long as for an
 * answer at most.
 */
public final class RemoteArena implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(RemoteArena.class.getName());

  /** Before another try, twice as long each time. */
  private static final long PAUSE_MILLIS = 1_000;

  private static final long MAX_PAUSE_MILLIS = 30_000;

  /** Before a token expires. */
  private static final Duration RENEWED = Duration.ofSeconds(30);

  private final String name;
  private final Supplier<CompletionStage<Admission>> admissions;
  private final RemoteTransport transport;
  private final Duration maxWait;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(run -> Line.daemon(run, "kasane-rdma-client"));
  private volatile Line line;
  private boolean isUcxUseless;
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
      String name,
      Supplier<CompletionStage<Admission>> admissions,
      RemoteTransport transport,
      Duration maxWait) {
    this.name = name;
    this.transport = transport;
    this.admissions = admissions;
    this.maxWait = maxWait;
    timer.execute(this::connect);
    long look = Math.max(1, maxWait.toMillis() / 4);
    var unused = timer.scheduleWithFixedDelay(this::giveUpLate, look, look, TimeUnit.MILLISECONDS);
  }

  /** Whether it is connected now. */
  public boolean isConnected() {
    return line != null;
  }

  /**
   * Reads keys.
   *
   * @param keys as many as {@link Frames#MAX_KEYS} at most
   * @return what was found of each, in their order; never fails
   */
  public CompletionStage<List<Answer>> get(List<ArenaKey> keys) {
    Line now = line;
    return now == null
        ? CompletableFuture.completedStage(Line.silence(keys.size()))
        : now.ask(keys);
  }

  // ---- connecting, on the timer's thread

  private void connect() {
    if (isClosed || line != null) {
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
            tryAgain("no token: " + Line.reason(failure));
          } else if (!isClosed) {
            timer.execute(() -> open(admission));
          }
        });
  }

  private void open(Admission admission) {
    if (isClosed || line != null) {
      return;
    }
    try {
      Line fresh = transport.prefersUcx() ? overUcx(admission) : overTcp(admission);
      line = fresh;
      if (fresh.hasEnded()) { // and said so before it was here
        line = null;
        return;
      }
      isWell();
      LOGGER.log(
          Level.INFO,
          "{0} is read from memory of {1}:{2}, by {3}",
          name,
          admission.host(),
          String.valueOf(admission.port()),
          fresh instanceof TcpLine ? "TCP" : "OpenUCX");
    } catch (IOException e) {
      tryAgain(admission.host() + ":" + admission.port() + ": " + Line.reason(e));
    }
  }

  private Line overTcp(Admission admission) throws IOException {
    Dialled dialled = Dialled.of(admission, transport.tls(), false);
    return new TcpLine(name, dialled, admission.expires(), maxWait, this::hasEnded);
  }

  /** Or by TCP, where either side has no OpenUCX. */
  private Line overUcx(Admission admission) throws IOException {
    Optional<String> whyNot = UcxSupport.whyNot();
    if (whyNot.isEmpty()) {
      try {
        Dialled dialled = Dialled.of(admission, transport.tls(), true);
        return new UcxLine(name, dialled, admission.expires(), maxWait, this::hasEnded);
      } catch (IOException | RuntimeException e) {
        whyNot = Optional.of(Line.reason(e));
      }
    }
    Line tcp = overTcp(admission);
    if (!isUcxUseless) {
      isUcxUseless = true;
      LOGGER.log(Level.INFO, "{0} is asked by TCP, not by OpenUCX: {1}", name, whyNot.get());
    }
    return tcp;
  }

  private void hasEnded(Line ended, String reason) {
    if (line == ended) {
      line = null;
    }
    tryAgain(reason);
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
    Line now = line;
    if (now != null && now.isLate()) {
      now.end("no answer in " + maxWait.toMillis() + " ms");
    } else if (now != null && now.expires().minus(RENEWED).isBefore(Instant.now())) {
      now.end("its token expires, and another one is asked for");
    }
  }

  @Override
  public void close() {
    isClosed = true;
    Line now = line;
    if (now != null) {
      now.end("closed");
    }
    timer.shutdownNow();
  }
}
