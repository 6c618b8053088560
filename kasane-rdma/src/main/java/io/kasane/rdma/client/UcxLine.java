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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Requests and answers by OpenUCX, one at a time: whoever asks has the answer when the method
 * returns. A socket beside says whether the other side is there: a peer that has died may take
 * messages for seconds.
 */
final class UcxLine implements Line {
  private final Dialled dialled;
  private final UcxClient client;
  private final Instant expires;
  private final Duration maxWait;
  private final BiConsumer<Line, String> onEnd;
  private final AtomicBoolean hasEnded = new AtomicBoolean();

  /** Guarded by this. */
  private long lastId;

  /**
   * Beside a connection that asked for it, which is its own from now on.
   *
   * @param onEnd is told why, once
   */
  UcxLine(
      String name,
      Dialled dialled,
      Instant expires,
      Duration maxWait,
      BiConsumer<Line, String> onEnd)
      throws IOException {
    this.dialled = dialled;
    this.expires = expires;
    this.maxWait = maxWait;
    this.onEnd = onEnd;
    UcxAddress server = Frames.readUcxAddress(dialled.in());
    this.client = new UcxClient(server.address(), server.connection());
    dialled.waitForEver();
    Line.daemon(this::watch, "kasane-rdma-client-" + name).start();
  }

  private void watch() {
    try {
      int read = dialled.in().read();
      end(read < 0 ? "the other side has gone" : "it says what it should not");
    } catch (IOException e) {
      end(Line.reason(e));
    }
  }

  @Override
  public Instant expires() {
    return expires;
  }

  @Override
  public CompletionStage<List<Answer>> ask(List<ArenaKey> keys) {
    List<Answer> answers = null;
    try {
      answers = tryAsk(keys);
    } catch (IOException e) {
      end(Line.reason(e));
    }
    return CompletableFuture.completedStage(answers == null ? Line.silence(keys.size()) : answers);
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
            () -> hasEnded.get() || System.nanoTime() - began > maxWait.toNanos());
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
  public boolean isLate() {
    return false;
  }

  @Override
  public boolean hasEnded() {
    return hasEnded.get();
  }

  @Override
  public void end(String reason) {
    if (hasEnded.compareAndSet(false, true)) {
      onEnd.accept(this, reason);
      dialled.close();
      // Not before whoever asks has seen that it is over.
      Line.daemon(client::close, "kasane-rdma-client-end").start();
    }
  }
}
