/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import io.kasane.arena.ArenaFolder;
import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.ArenaToken;
import io.kasane.rdma.ucx.UcxServer;
import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Frames.Hello;
import io.kasane.rdma.wire.Frames.Reply;
import io.kasane.rdma.wire.Frames.Request;
import io.kasane.rdma.wire.Frames.UcxAddress;
import io.kasane.rdma.wire.MemoryFrames;
import io.kasane.rdma.wire.Service;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One client: shows a token first, then asks for keys of its table. For one thread. */
final class ServedConnection implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(ServedConnection.class.getName());
  private static final Duration MAX_HELLO = Duration.ofSeconds(5);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BUFFER_BYTES = 16 << 10;
  private static final Answer SILENT = new Answer(Outcome.SILENT, null);

  private final Socket socket;
  private final Optional<ServerTls> tls;
  private final Service offered;
  private final Optional<UcxServer> ucx;
  private final Path directory;
  private final ArenaFolder folder;
  private final Path keyFile;
  private final Clock clock;
  private final long beganNanos = System.nanoTime();
  private volatile Optional<Instant> admittedUntil = Optional.empty();

  ServedConnection(
      Socket socket,
      Optional<ServerTls> tls,
      Service offered,
      Optional<UcxServer> ucx,
      Path directory,
      ArenaFolder folder,
      Path keyFile,
      Clock clock) {
    this.socket = socket;
    this.tls = tls;
    this.offered = offered;
    this.ucx = ucx;
    this.directory = directory;
    this.folder = folder;
    this.keyFile = keyFile;
    this.clock = clock;
  }

  /** Serves until the client has gone, its token has expired, or it sends what it should not. */
  void run() {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) MAX_HELLO.toMillis());
      Socket spoken = tls.isPresent() ? tls.get().over(socket) : socket;
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(spoken.getInputStream(), BUFFER_BYTES));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(spoken.getOutputStream(), BUFFER_BYTES));
      ArenaToken token;
      Service wanted;
      OpenMemory memory = null;
      try {
        Hello hello = Frames.readHello(in);
        wanted = hello.wanted();
        token = ArenaToken.verify(hello.token(), key());
        requireValid(token);
        requireOffered(wanted, token);
        memory = wanted == Service.MEMORY ? OpenMemory.of(directory, token) : null;
      } catch (IllegalArgumentException e) {
        Frames.writeWelcome(out, String.valueOf(e.getMessage()));
        return;
      }
      admittedUntil = Optional.of(token.expires());
      folder.watchAny(token.table());
      if (wanted.isByUcx()) {
        try (OpenMemory opened = memory) {
          beside(token, Optional.ofNullable(opened), in, out);
        }
        return;
      }
      Frames.writeWelcome(out, "");
      socket.setSoTimeout(0);
      while (true) {
        Request request = Frames.readRequest(in);
        requireValid(token);
        Frames.writeReply(out, new Reply(request.id(), answers(token, request.keys())));
        if (in.available() == 0) { // else more answers go with it
          out.flush();
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      LOGGER.log(Level.DEBUG, "The connection from {0} ends: {1}", socket, e.toString());
    }
  }

  private void requireOffered(Service wanted, ArenaToken token) {
    if (wanted.isByUcx() && ucx.isEmpty()) {
      throw new IllegalArgumentException("it serves nobody by OpenUCX: start it with --ucx");
    }
    if (wanted.compareTo(offered) > 0) {
      throw new IllegalArgumentException("it opens no memory: start it with --memory");
    }
    if (wanted == Service.MEMORY && !token.opensMemory()) {
      throw new IllegalArgumentException(
          "the token opens no memory: that needs SELECT on the table's tokens in"
              + " kasane_arena_memory");
    }
  }

  /** Answers by OpenUCX for as long as the connection is there. */
  private void beside(
      ArenaToken token, Optional<OpenMemory> memory, DataInputStream in, DataOutputStream out)
      throws IOException {
    UcxServer server = ucx.orElseThrow();
    long connection = RANDOM.nextLong();
    server.admit(connection, request -> answered(token, request));
    try {
      Frames.writeWelcome(out, "");
      Frames.writeUcxAddress(out, new UcxAddress(connection, server.address()));
      if (memory.isPresent()) {
        MemoryFrames.write(out, memory.get().told());
      }
      socket.setSoTimeout(0);
      int unused = in.read(); // ends with the client
    } finally {
      server.dismiss(connection);
    }
  }

  /** Whatever it asks, the thread goes on. */
  private byte[] answered(ArenaToken token, byte[] bytes) {
    try {
      requireValid(token);
      Request request = Frames.readRequest(new DataInputStream(new ByteArrayInputStream(bytes)));
      ByteArrayOutputStream reply = new ByteArrayOutputStream();
      Frames.writeReply(
          new DataOutputStream(reply), new Reply(request.id(), answers(token, request.keys())));
      return reply.toByteArray();
    } catch (IOException | IllegalArgumentException e) {
      LOGGER.log(Level.DEBUG, "{0} is not answered: {1}", socket, e.toString());
      return null;
    }
  }

  /** Whether it shows no token for too long, a byte now and then, or has one that has expired. */
  boolean isOver() {
    return admittedUntil
        .map(until -> !clock.instant().isBefore(until))
        .orElseGet(() -> System.nanoTime() - beganNanos > MAX_HELLO.toNanos());
  }

  /** Read each time: a node that starts makes another. */
  private byte[] key() throws IOException {
    byte[] key = Files.readAllBytes(keyFile);
    if (key.length != ArenaToken.KEY_BYTES) {
      throw new IOException(keyFile + " has " + key.length + " bytes");
    }
    return key;
  }

  private void requireValid(ArenaToken token) {
    if (!clock.instant().isBefore(token.expires())) {
      throw new IllegalArgumentException("the token has expired: ask the node for another");
    }
  }

  private List<Answer> answers(ArenaToken token, List<ArenaKey> keys) {
    ArenaReader arena = folder.of(token.table());
    List<Answer> answers = new ArrayList<>(keys.size());
    for (ArenaKey key : keys) {
      answers.add(arena == null || !arena.isOf(token.tableId()) ? SILENT : arena.get(key));
    }
    return answers;
  }

  /** What lies beneath TLS: a thread that writes is let go at once. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }
}
