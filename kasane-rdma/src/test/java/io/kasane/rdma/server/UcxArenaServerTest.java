/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.ArenaVersion;
import io.kasane.rdma.client.RemoteArena;
import io.kasane.rdma.client.RemoteTransport;
import io.kasane.rdma.ucx.UcxSupport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The same by OpenUCX, where the machine has it. */
class UcxArenaServerTest extends ServedArena {
  private static RemoteTransport ucx() {
    return RemoteTransport.tcp().preferringUcx();
  }

  @Test
  void withoutOpenUcxItIsAskedByTcp() {
    assumeTrue(UcxSupport.whyNot().isPresent());
    try (RemoteArena arena = client(ucx())) {
      awaitHit(arena);
    }
  }

  @Test
  void overOpenUcxTheSameIsRead() {
    assumeTrue(UcxSupport.whyNot().isEmpty());
    try (RemoteArena arena = client(ucx())) {
      awaitHit(arena);
      for (int i = 0; i < 1_000; i++) {
        List<Answer> read = readBelieved(arena, "two", "three", "one");
        assertThat(read.stream().map(Answer::outcome))
            .containsExactly(Outcome.HIT, Outcome.MISS, Outcome.HIT);
        assertThat(UTF_8.decode(read.get(0).body()).toString()).isEqualTo("value of two");
      }
    }
    Awaitility.await().atMost(PATIENCE).until(() -> server.connections() == 0);
  }

  @Test
  void overOpenUcxAServerThatEndedIsNotWaitedForAndComesBack() throws IOException {
    assumeTrue(UcxSupport.whyNot().isEmpty());
    requireThatItIsNotWaitedForAndComesBack(ucx());
  }

  @Test
  void overOpenUcxWhoeverShowsNoTokenReadsNothing() {
    assumeTrue(UcxSupport.whyNot().isEmpty());
    byte[] other = key.clone();
    other[0] = 1;
    try (RemoteArena arena = client(ID, other, Duration.ofMinutes(10), server.port(), ucx());
        RemoteArena right = client(ucx())) {
      awaitHit(right);
      assertThat(arena.isConnected()).isFalse();
    }
  }

  // ---- memory that clients read by themselves

  private static RemoteTransport memory() {
    return RemoteTransport.tcp().preferringMemory();
  }

  private void awaitMemoryHits(RemoteArena arena, String name) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              long before = memoryHits.sum();
              return read(arena, name).get(0).outcome() == Outcome.HIT && memoryHits.sum() > before;
            });
  }

  @Test
  void whatIsInMemoryIsReadThereAsItIsNow() {
    assumeTrue(UcxSupport.whyNotMemory().isEmpty());
    opensMemory = true;
    try (RemoteArena arena = client(memory())) {
      awaitMemoryHits(arena, "one");
      awaitMemoryHits(arena, "two");
      for (int i = 0; i < 1_000; i++) {
        String value = "value " + i;
        ArenaVersion version = new ArenaVersion(2 + i, 0, ByteBuffer.wrap(value.getBytes(UTF_8)));
        writer.update(key("two"), version);
        List<Answer> read = readBelieved(arena, "one", "three", "two");
        assertThat(read.stream().map(Answer::outcome))
            .containsExactly(Outcome.HIT, Outcome.MISS, Outcome.HIT);
        assertThat(UTF_8.decode(read.get(2).body()).toString()).isEqualTo(value);
      }
      assertThat(memoryHits.sum()).isGreaterThan(1_900 / SLOW);
    }
  }

  @Test
  void aTokenThatOpensNoMemoryIsAnsweredByMessages() {
    assumeTrue(UcxSupport.whyNotMemory().isEmpty());
    try (RemoteArena arena = client(memory())) {
      awaitHit(arena);
      awaitHit(arena);
      assertThat(memoryHits.sum()).isZero();
    }
  }

  /** Nothing in memory says that its process was killed, but that no sign of life comes. */
  @Test
  void memoryOfANodeThatIsSilentIsNotBelieved() {
    assumeTrue(UcxSupport.whyNotMemory().isEmpty());
    opensMemory = true;
    try (RemoteArena arena = client(memory())) {
      awaitMemoryHits(arena, "one");
      beats.shutdownNow();
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> read(arena, "one").get(0).outcome() == Outcome.SILENT);
      long before = memoryHits.sum();
      assertThat(read(arena, "one").get(0).outcome()).isEqualTo(Outcome.SILENT);
      assertThat(memoryHits.sum()).isEqualTo(before);
    }
  }

  @Test
  void theMemoryOfTheNodesNextArenaIsFound() throws IOException {
    assumeTrue(UcxSupport.whyNotMemory().isEmpty());
    opensMemory = true;
    try (RemoteArena arena = client(memory())) {
      awaitMemoryHits(arena, "one");
      writer.close();
      writer = filled();
      awaitMemoryHits(arena, "one");
    }
    try (RemoteArena second = client(memory())) {
      awaitMemoryHits(second, "two");
    }
    Awaitility.await().atMost(PATIENCE).until(() -> server.connections() == 0);
  }

  @Test
  void overMemoryAServerThatEndedIsNotWaitedForAndComesBack() throws IOException {
    assumeTrue(UcxSupport.whyNotMemory().isEmpty());
    opensMemory = true;
    requireThatItIsNotWaitedForAndComesBack(memory());
  }
}
