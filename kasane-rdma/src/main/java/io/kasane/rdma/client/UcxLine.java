/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.rdma.ucx.UcxClient;
import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Frames.Reply;
import io.kasane.rdma.wire.Frames.Request;
import io.kasane.rdma.wire.Frames.UcxAddress;
import io.kasane.rdma.wire.MemoryFrames;
import io.kasane.rdma.wire.Service;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Requests and answers by OpenUCX, one at a time, after a look into the server's memory where that
 * is open: whoever asks has the answer when the method returns. A socket beside says whether the
 * other side is there: a peer that has died may take messages for seconds.
 */
final class UcxLine extends Line {
  private final UcxClient client;
  private final Optional<MemoryReads> memory;
  private final Duration maxWait;

  /** Guarded by this. */
  private long lastId;

  /**
   * Beside a connection that asked for it, which is its own from now on.
   *
   * @param name for its thread
   * @param memoryHits counts keys that were found in memory, if it has asked for that, too
   */
  UcxLine(
      String name,
      Dialled dialled,
      Optional<LongAdder> memoryHits,
      Instant expires,
      Duration maxWait,
      BiConsumer<Line, String> onEnd)
      throws IOException {
    super(dialled, expires, onEnd);
    this.maxWait = maxWait;
    UcxClient opened = null;
    try {
      UcxAddress server = Frames.readUcxAddress(dialled.in());
      opened = new UcxClient(server.address(), server.connection());
      this.memory =
          memoryHits.isPresent()
              ? Optional.of(memory(opened, dialled, memoryHits.get()))
              : Optional.empty();
      dialled.waitForEver();
    } catch (IOException | RuntimeException e) {
      dialled.close();
      if (opened != null) {
        opened.close();
      }
      throw e;
    }
    this.client = opened;
    daemon(this::watch, "kasane-rdma-client-" + name).start();
  }

  private static MemoryReads memory(UcxClient client, Dialled dialled, LongAdder hits)
      throws IOException {
    return new MemoryReads(client, MemoryFrames.read(dialled.in()), dialled.beganNanos(), hits);
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
    long began = System.nanoTime();
    BooleanSupplier isOver = () -> hasEnded() || System.nanoTime() - began > maxWait.toNanos();
    Answer[] answers = new Answer[keys.size()];
    if (memory.isPresent()) {
      memory.get().read(keys, answers, isOver);
    }
    List<ArenaKey> left = new ArrayList<>(keys.size());
    for (int i = 0; i < answers.length; i++) {
      if (answers[i] == null) {
        left.add(keys.get(i));
      }
    }
    if (!left.isEmpty()) {
      List<Answer> told = tryAskByMessage(left, isOver);
      if (told == null) {
        end("no answer in " + maxWait.toMillis() + " ms");
        return null;
      }
      Iterator<Answer> next = told.iterator();
      for (int i = 0; i < answers.length; i++) {
        if (answers[i] == null) {
          answers[i] = heard(keys.get(i), next.next());
        }
      }
    }
    return Arrays.asList(answers);
  }

  private List<Answer> tryAskByMessage(List<ArenaKey> keys, BooleanSupplier isOver)
      throws IOException {
    long id = ++lastId;
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    Frames.writeRequest(new DataOutputStream(request), new Request(id, keys));
    byte[] came =
        client.ask(
            request.toByteArray(),
            bytes -> bytes.length >= Frames.ID_AT + Long.BYTES && id == idOf(bytes),
            isOver);
    if (came == null) {
      return null;
    }
    Reply reply = Frames.readReply(new DataInputStream(new ByteArrayInputStream(came)));
    if (reply.answers().size() != keys.size()) {
      throw new IOException("an answer to something else");
    }
    return reply.answers();
  }

  private Answer heard(ArenaKey key, Answer answer) {
    memory.ifPresent(
        reads -> {
          reads.heard(key, answer);
          if (answer.outcome() == Outcome.HIT && reads.isStale()) {
            end("its node has another arena, whose memory is asked for");
          }
        });
    return answer;
  }

  @Override
  Service service() {
    return memory.isPresent() ? Service.MEMORY : Service.MESSAGES;
  }

  @Override
  void look() {
    try {
      lookIntoMemory();
    } catch (IOException e) {
      end(reason(e));
    }
  }

  private synchronized void lookIntoMemory() throws IOException {
    if (memory.isPresent() && !hasEnded()) {
      long began = System.nanoTime();
      memory.get().look(() -> hasEnded() || System.nanoTime() - began > maxWait.toNanos());
    }
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
