/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import io.kasane.arena.ArenaFolder;
import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.ArenaToken;
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
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final int BUFFER_BYTES = 16 << 10;
  private static final Answer SILENT = new Answer(Outcome.SILENT, null);

  private final Socket socket;
  private final ArenaFolder folder;
  private final Path keyFile;
  private final Clock clock;
  private final long beganNanos = System.nanoTime();
  private volatile Optional<Instant> admittedUntil = Optional.empty();

  ServedConnection(Socket socket, ArenaFolder folder, Path keyFile, Clock clock) {
    this.socket = socket;
    this.folder = folder;
    this.keyFile = keyFile;
    this.clock = clock;
  }

  /** Serves until the client has gone, its token has expired, or it sends what it should not. */
  void run() {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) MAX_HELLO.toMillis());
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
      ArenaToken token;
      try {
        token = ArenaToken.verify(Frames.readHello(in), key());
        requireValid(token);
      } catch (IllegalArgumentException e) {
        Frames.writeWelcome(out, String.valueOf(e.getMessage()));
        return;
      }
      admittedUntil = Optional.of(token.expires());
      folder.watchAny(token.table());
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

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }
}
