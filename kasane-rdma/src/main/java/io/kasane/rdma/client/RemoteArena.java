/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.rdma.ucx.UcxSupport;
import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Service;
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
import java.util.concurrent.atomic.LongAdder;
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

  /** How often memory is looked at for signs that its node lives. */
  private static final long LOOK_MILLIS = 50;

  /** Before a token expires. */
  private static final Duration RENEWED = Duration.ofSeconds(30);

  private final String name;
  private final Supplier<CompletionStage<Admission>> admissions;
  private final RemoteTransport transport;
  private final Duration maxWait;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(run -> Line.daemon(run, "kasane-rdma-client"));
  private final LongAdder memoryHits;
  private volatile Line line;
  private String lastLack = "";
  private volatile boolean isClosed;
  private String lastTrouble = "";
  private long pauseMillis = PAUSE_MILLIS;

  /**
   * Begins to connect.
   *
   * @param name of the table, for the log
   * @param admissions asks the node for a token
   * @param maxWait of an answer: then the connection is given up, and another one is made
   * @param memoryHits counts keys that this process has found in the other host's memory by itself
   */
  public RemoteArena(
      String name,
      Supplier<CompletionStage<Admission>> admissions,
      RemoteTransport transport,
      Duration maxWait,
      LongAdder memoryHits) {
    this.memoryHits = memoryHits;
    this.name = name;
    this.transport = transport;
    this.admissions = admissions;
    this.maxWait = maxWait;
    timer.execute(this::connect);
    long look = Math.max(1, maxWait.toMillis() / 4);
    var unused = timer.scheduleWithFixedDelay(this::giveUpLate, look, look, TimeUnit.MILLISECONDS);
    if (transport.preferred() == Service.MEMORY) {
      unused =
          timer.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
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
      Line fresh = connected(admission);
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
          fresh.service().isByUcx() ? "OpenUCX" : "TCP");
    } catch (IOException e) {
      tryAgain(admission.host() + ":" + admission.port() + ": " + Line.reason(e));
    }
  }

  /** By the best of what both sides have. */
  private Line connected(Admission admission) throws IOException {
    String lack = "";
    for (Service service : List.of(Service.MEMORY, Service.MESSAGES)) {
      if (service.compareTo(transport.preferred()) <= 0) {
        Optional<String> whyNot =
            service == Service.MEMORY ? UcxSupport.whyNotMemory() : UcxSupport.whyNot();
        if (whyNot.isEmpty()) {
          try {
            Line ucx = overUcx(admission, service);
            lacks(lack, service);
            return ucx;
          } catch (IOException | RuntimeException e) {
            whyNot = Optional.of(Line.reason(e));
          }
        }
        lack = lack.isEmpty() ? whyNot.get() : lack;
      }
    }
    Dialled dialled = Dialled.of(admission, transport.tls(), Service.TCP);
    lacks(lack, Service.TCP);
    return new TcpLine(name, dialled, admission.expires(), maxWait, this::hasEnded);
  }

  private Line overUcx(Admission admission, Service service) throws IOException {
    return new UcxLine(
        name,
        Dialled.of(admission, transport.tls(), service),
        service == Service.MEMORY ? Optional.of(memoryHits) : Optional.empty(),
        admission.expires(),
        maxWait,
        this::hasEnded);
  }

  private void lacks(String lack, Service used) {
    if (!lack.isEmpty() && !lack.equals(lastLack)) {
      lastLack = lack;
      LOGGER.log(
          Level.INFO,
          "{0} is asked by {1}: {2}",
          name,
          used == Service.TCP ? "TCP, not by OpenUCX" : "messages, and not read out of memory",
          lack);
    }
  }

  private void look() {
    Line now = line;
    if (now != null) {
      now.look();
    }
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
