/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.engine.health.CircuitBreaker;
import io.kasane.engine.health.ReadBulkhead;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.trie.LongKeyEngine;
import io.kasane.host.claim.DirectoryClaim;
import io.kasane.host.refuse.HostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One engine of this node: opened once, and never closed, since somebody may read from it until the
 * process ends. What fails or hangs in it is told here, and only who needs the engine hears of it.
 * Thread-safe.
 */
public final class NodeEngine {
  private static final Logger logger = LoggerFactory.getLogger(NodeEngine.class);

  /** How long a read may wait for others to end, which go on: longer than Cassandra wants it. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private static final String PROBE_TABLE = "probe";
  private static final byte[] PROBE_KEY = {0};

  private final EngineProvider provider;
  private final EngineOptions options;
  private final EngineDirectory directory;
  private final ExecutorService threads;
  private final CircuitBreaker reads = new CircuitBreaker(System::nanoTime);
  private final CircuitBreaker writes = new CircuitBreaker(System::nanoTime);
  private final ReadBulkhead gate;
  private final Duration longestCall;
  private final Consumer<Set<String>> onOpen;
  private volatile Engine engine;

  /** The tables that it had when it was opened. */
  private volatile Set<String> found = Set.of();

  /**
   * An engine that is not open yet.
   *
   * @param directory where its files lie
   * @param readers how many threads may read at a time
   * @param longestCall how long a read may wait for one answer before the engine is out
   * @param threads where it is called by what must not wait for ever
   * @param onOpen gets the names of the tables that it has, before anybody sees it open
   */
  NodeEngine(
      EngineProvider provider,
      EngineOptions options,
      EngineDirectory directory,
      int readers,
      Duration longestCall,
      ExecutorService threads,
      Consumer<Set<String>> onOpen) {
    this.provider = provider;
    this.options = options;
    this.directory = directory;
    this.threads = threads;
    this.onOpen = onOpen;
    this.longestCall = longestCall;
    this.gate = new ReadBulkhead(reads, readers, longestCall, MAX_WAIT, System::nanoTime);
  }

  public String name() {
    return provider.name();
  }

  public EngineOptions options() {
    return options;
  }

  /** Whether it takes rows; flushes write SSTables while it does not. */
  public CircuitBreaker writes() {
    return writes;
  }

  /**
   * Checks that it takes changes.
   *
   * @throws EngineException if it is out
   */
  public void requireWrites() {
    CircuitBreaker.State state = writes.state();
    if (!state.isClosed()) {
      throw EngineException.out(name() + " is out: " + state.reason());
    }
  }

  /** Whether it answers reads. */
  public CircuitBreaker reads() {
    return reads;
  }

  /** Lets reads in. */
  public ReadBulkhead gate() {
    return gate;
  }

  /** How long a read may wait for one answer. */
  Duration longestCall() {
    return longestCall;
  }

  /** Threads that may hang in the engine. */
  public ExecutorService threads() {
    return threads;
  }

  /** Whether it was opened. */
  public boolean isOpen() {
    return engine != null;
  }

  /** Whether it may have had rows of a table when the node started. */
  boolean mayHaveHad(String table) {
    return !isOpen() || found.contains(table);
  }

  /**
   * Returns the engine.
   *
   * @throws EngineException if it could not be opened yet
   */
  public Engine open() {
    Engine open = engine;
    if (open == null) {
      throw new EngineException(
          Kind.FAILED, name() + " is not open: " + reads.state().reason() + ". See the log");
    }
    return open;
  }

  /**
   * Opens it, and waits no longer than {@code most}: it is out then, until it is opened.
   *
   * @throws HostException if its directory is another node's, or another process has it
   */
  void open(Duration most) {
    String late = "it was not open after " + most.toSeconds() + " s";
    Future<?> opening = threads.submit(this::openNow);
    try {
      opening.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof HostException) {
        throw new HostException(e.getCause().getMessage(), e);
      }
      isOut(String.valueOf(e.getCause().getMessage()), e.getCause());
    } catch (TimeoutException e) {
      isOut(late, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      isOut("interrupted while it was opened", e);
    }
  }

  private void isOut(String why, Throwable cause) {
    reads.failed(why);
    writes.failed(why);
    logOut(why, cause);
  }

  private void logOut(String why, Throwable cause) {
    logger.error(
        "The storage engine {} in {} is out: {}. Reads of its tables fail on this node, or writes go"
            + " to SSTables; it is tried again",
        name(),
        options.directory(),
        why,
        cause);
  }

  private synchronized void openNow() {
    if (engine != null) {
      return;
    }
    DirectoryClaim claim = directory.claim();
    Engine opened = null;
    try {
      opened = new LongKeyEngine(provider.open(options));
      found = Set.copyOf(opened.tables());
      onOpen.accept(found);
      makeProbeTable(opened);
    } catch (RuntimeException | Error e) {
      // Else the next attempt would find it in use.
      try (claim;
          Engine failed = opened) {
        throw e;
      }
    }
    engine = opened;
    logger.info("The storage engine {} is open in {}", name(), options.directory());
  }

  /** While there is room for one: when other tables have taken all, each probe would fail. */
  private void makeProbeTable(Engine opened) {
    try {
      opened.table(PROBE_TABLE);
    } catch (EngineException e) {
      logger.warn(
          "{} has no room for a table to be tried with, and will count as out when it has none for"
              + " another one: {}",
          name(),
          e.getMessage());
    }
  }

  /**
   * Looks for what hangs, and tries an engine that is out or may be. Never waits; to be called each
   * second.
   */
  void look() {
    gate.look();
    probe(reads, this::read);
    probe(writes, this::write);
  }

  private void probe(CircuitBreaker breaker, Runnable call) {
    if (!breaker.beginsProbe()) {
      return;
    }
    threads.execute(
        () -> {
          try {
            openNow();
            call.run();
            if (breaker.probed(null)) {
              logger.info("The storage engine {} works again", name());
            }
          } catch (RuntimeException | Error e) {
            String why = String.valueOf(e.getMessage());
            if (breaker.probed(why)) {
              logOut(why, e);
            }
          }
        });
  }

  /**
   * Whether it takes a write now, whatever there is with one of its tables: by a small one. Waits
   * no longer than {@code most} for it.
   */
  public boolean takesWrites(Duration most) {
    Future<?> writing = threads.submit(this::write);
    try {
      writing.get(most.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void read() {
    EngineTable table = open().table(PROBE_TABLE);
    try (EngineSnapshot snapshot = table.snapshot()) {
      snapshot.get(PROBE_KEY);
    }
  }

  private void write() {
    Engine open = open();
    open.table(PROBE_TABLE).apply(new EngineBatch().put(PROBE_KEY, name().getBytes(UTF_8)));
    open.sync();
  }
}
