/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.rdma.ucx.UcxClient;
import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Frames.Reply;
import io.kasane.rdma.wire.Frames.Request;
import io.kasane.rdma.wire.Frames.UcxAddress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * Requests and answers by OpenUCX, one at a time: whoever asks has the answer when the method
 * returns. A socket beside says whether the other side is there: a peer that has died may take
 * messages for seconds.
 */
final class UcxLine extends Line {
  private final UcxClient client;
  private final Duration maxWait;

  /** Guarded by this. */
  private long lastId;

  /**
   * Beside a connection that asked for it, which is its own from now on.
   *
   * @param name for its thread
   */
  UcxLine(
      String name,
      Dialled dialled,
      Instant expires,
      Duration maxWait,
      BiConsumer<Line, String> onEnd)
      throws IOException {
    super(dialled, expires, onEnd);
    this.maxWait = maxWait;
    try {
      UcxAddress server = Frames.readUcxAddress(dialled.in());
      this.client = new UcxClient(server.address(), server.connection());
      dialled.waitForEver();
    } catch (IOException | RuntimeException e) {
      dialled.close();
      throw e;
    }
    daemon(this::watch, "kasane-rdma-client-" + name).start();
  }

  private void watch() {
    try {
      int read = dialled().in().read();
      end(read < 0 ? "the other side has gone" : "it says what it should not");
    } catch (IOException e) {
      end(reason(e));
    }
  }

  @Override
  CompletionStage<List<Answer>> ask(List<ArenaKey> keys) {
    List<Answer> answers = null;
    try {
      answers = tryAsk(keys);
    } catch (IOException e) {
      end(reason(e));
    }
    return CompletableFuture.completedStage(answers == null ? silence(keys.size()) : answers);
  }

  private synchronized List<Answer> tryAsk(List<ArenaKey> keys) throws IOException {
    long id = ++lastId;
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    Frames.writeRequest(new DataOutputStream(request), new Request(id, keys));
    long began = System.nanoTime();
    byte[] came =
        client.ask(
            request.toByteArray(),
            bytes -> bytes.length >= Frames.ID_AT + Long.BYTES && id == idOf(bytes),
            () -> hasEnded() || System.nanoTime() - began > maxWait.toNanos());
    if (came == null) {
      end("no answer in " + maxWait.toMillis() + " ms");
      return null;
    }
    Reply reply = Frames.readReply(new DataInputStream(new ByteArrayInputStream(came)));
    if (reply.answers().size() != keys.size()) {
      throw new IOException("an answer to something else");
    }
    return reply.answers();
  }

  private static long idOf(byte[] frame) {
    return ByteBuffer.wrap(frame).getLong(Frames.ID_AT);
  }

  /** Whoever waits looks at the clock himself. */
  @Override
  boolean isLate() {
    return false;
  }

  /** Not before whoever asks has seen that it is over. */
  @Override
  void letGo() {
    daemon(client::close, "kasane-rdma-client-end").start();
  }
}
