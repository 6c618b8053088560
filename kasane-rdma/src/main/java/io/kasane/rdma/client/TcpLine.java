/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Frames.Reply;
import io.kasane.rdma.wire.Frames.Request;
import io.kasane.rdma.wire.Service;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

/** Requests and answers on a socket, many at a time; a thread of its own reads answers. */
final class TcpLine extends Line {
  private final long maxNanos;

  /** Somebody waits for an answer. */
  private record Waiting(
      long id, int keys, long sentNanos, CompletableFuture<List<Answer>> answer) {}

  /** In the order in which answers come. */
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

  /** Guarded by {@code dialled.out()}. */
  private long lastId;

  /**
   * Over a connection, which is its own from now on.
   *
   * @param name for its thread
   */
  TcpLine(
      String name,
      Dialled dialled,
      Instant expires,
      Duration maxWait,
      BiConsumer<Line, String> onEnd)
      throws IOException {
    super(dialled, expires, onEnd);
    this.maxNanos = maxWait.toNanos();
    try {
      dialled.waitForEver();
    } catch (IOException e) {
      dialled.close();
      throw e;
    }
    daemon(this::read, "kasane-rdma-client-" + name).start();
  }

  @Override
  CompletionStage<List<Answer>> ask(List<ArenaKey> keys) {
    CompletableFuture<List<Answer>> answer = new CompletableFuture<>();
    try {
      synchronized (dialled().out()) {
        waiting.add(new Waiting(++lastId, keys.size(), System.nanoTime(), answer));
        Frames.writeRequest(dialled().out(), new Request(lastId, keys));
        dialled().out().flush();
      }
    } catch (IOException e) {
      end(reason(e));
    }
    if (hasEnded()) {
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
        Reply reply = Frames.readReply(dialled().in());
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

  @Override
  Service service() {
    return Service.TCP;
  }

  @Override
  boolean isLate() {
    Waiting first = waiting.peek();
    return first != null && System.nanoTime() - first.sentNanos() > maxNanos;
  }

  @Override
  void letGo() {
    leaveUnanswered();
  }
}
