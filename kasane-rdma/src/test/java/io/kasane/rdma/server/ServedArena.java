/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.ArenaToken;
import io.kasane.arena.ArenaVersion;
import io.kasane.arena.ArenaWriter;
import io.kasane.rdma.client.Admission;
import io.kasane.rdma.client.RemoteArena;
import io.kasane.rdma.client.RemoteTransport;
import io.kasane.rdma.ucx.UcxSupport;
import io.kasane.rdma.wire.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An arena, whose writer lives, and a server of it. */
abstract class ServedArena {
  static final String TABLE = "shop.carts";
  static final UUID ID = new UUID(1, 2);

  /** How many times slower a machine is that is emulated. */
  static final int SLOW = Integer.getInteger("kasane.rdma.slow", 1);

  static final Duration MAX_WAIT = Duration.ofMillis(300).multipliedBy(SLOW);
  static final Duration PATIENCE = Duration.ofSeconds(20).multipliedBy(SLOW);

  @TempDir Path dir;
  final byte[] key = new byte[ArenaToken.KEY_BYTES];
  final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor();
  final AtomicInteger tokensAsked = new AtomicInteger();
  final LongAdder memoryHits = new LongAdder();
  boolean opensMemory;
  volatile ArenaWriter writer;
  ArenaServer server;

  @BeforeEach
  void start() throws IOException {
    Files.write(dir.resolve(ArenaToken.KEY_FILE), key);
    writer = filled();
    var unused = beats.scheduleAtFixedRate(this::beat, 0, 50, TimeUnit.MILLISECONDS);
    server = serve(0, 10);
  }

  void beat() {
    writer.beat(); // of an arena that has ended it says nothing
  }

  ArenaWriter filled() throws IOException {
    ArenaWriter made =
        ArenaWriter.create(
            dir.resolve(TABLE + ".arena"),
            ID,
            256,
            1 << 20,
            PosixFilePermissions.fromString("rw-------"));
    for (String name : List.of("one", "two")) {
      made.fill(
          key(name),
          0,
          new ArenaVersion(1, 0, ByteBuffer.wrap(("value of " + name).getBytes(UTF_8))),
          made.ticket(key(name)));
    }
    return made;
  }

  ArenaServer serve(int port, int connections) throws IOException {
    return serve(port, connections, Optional.empty());
  }

  ArenaServer serve(int port, int connections, Optional<ServerTls> tls) throws IOException {
    return new ArenaServer(
        new ServerSocket(),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        tls,
        UcxSupport.whyNotMemory().isEmpty() ? Service.MEMORY : Service.TCP,
        dir,
        dir.resolve(ArenaToken.KEY_FILE),
        Clock.systemUTC(),
        connections);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    beats.shutdownNow();
    writer.close();
  }

  static ArenaKey key(String name) {
    return ArenaKey.of(ByteBuffer.wrap(name.getBytes(UTF_8)), ByteBuffer.allocate(0));
  }

  RemoteArena client(UUID table, byte[] signedWith, Duration lives, int port) {
    return client(table, signedWith, lives, port, RemoteTransport.tcp());
  }

  RemoteArena client(
      UUID table, byte[] signedWith, Duration lives, int port, RemoteTransport transport) {
    return new RemoteArena(
        TABLE,
        () -> {
          tokensAsked.incrementAndGet();
          Instant expires = Instant.now().plus(lives);
          String token = new ArenaToken(TABLE, table, expires, opensMemory).sign(signedWith);
          return CompletableFuture.completedStage(
              new Admission("127.0.0.1", port, token, Instant.now().plus(Duration.ofHours(1))));
        },
        transport,
        MAX_WAIT,
        memoryHits);
  }

  RemoteArena client() {
    return client(ID, key, Duration.ofMinutes(10), server.port());
  }

  static List<Answer> read(RemoteArena arena, String... names) {
    return arena
        .get(List.of(names).stream().map(ServedArena::key).toList())
        .toCompletableFuture()
        .join();
  }

  /** Once the writer is believed: on a slow machine its beats may come late. */
  static List<Answer> readBelieved(RemoteArena arena, String... names) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .until(
            () -> read(arena, names),
            read -> read.stream().noneMatch(answer -> answer.outcome() == Outcome.SILENT));
  }

  static void awaitHit(RemoteArena arena) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> read(arena, "one").get(0).outcome() == Outcome.HIT);
  }

  void requireThatItIsNotWaitedForAndComesBack(RemoteTransport transport) throws IOException {
    try (RemoteArena arena = client(transport)) {
      awaitHit(arena);
      int port = server.port();
      server.close();
      Awaitility.await().atMost(PATIENCE).until(() -> !arena.isConnected());
      assertThat(read(arena, "one").get(0).outcome()).isEqualTo(Outcome.SILENT);
      server = serve(port, 10);
      awaitHit(arena);
    }
  }

  RemoteArena client(RemoteTransport transport) {
    return client(ID, key, Duration.ofMinutes(10), server.port(), transport);
  }
}
