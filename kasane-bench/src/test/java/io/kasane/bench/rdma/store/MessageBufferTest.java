/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MessageBufferTest {
  private static final int BYTES = 4_096;

  private static ByteBuffer memory() {
    return ByteBuffer.allocateDirect(BYTES);
  }

  private static byte[] message(SplittableRandom random) {
    byte[] message = new byte[random.nextInt(300)];
    random.nextBytes(message);
    return message;
  }

  private static byte[] copyOf(ByteBuffer body) {
    byte[] copy = new byte[body.remaining()];
    body.get(copy);
    return copy;
  }

  /** As a network may bring it: first bytes first, after what another message has left there. */
  @Test
  void shouldShowNothingOfAMessageThatIsNotThereWhole() {
    SplittableRandom random = new SplittableRandom(1);
    ByteBuffer sent = memory();
    ByteBuffer seen = memory();
    MessageBuffer sender = new MessageBuffer(sent);
    MessageBuffer receiver = new MessageBuffer(seen);
    for (int i = 0; i < 50; i++) {
      byte[] message = message(random);
      sender.begin().put(message);
      sender.send();
      int end = end(message);
      for (int there = 0; there < end; there++) {
        seen.put(there, sent, there, 1);
        if (there < end - 1) {
          assertThat(receiver.poll()).as("message %d, %d of %d bytes", i, there, end).isNull();
        }
      }
      assertThat(copyOf(receiver.poll())).isEqualTo(message);
      assertThat(receiver.poll()).isNull();
    }
  }

  /** The last byte of the second indicator. */
  private static int end(byte[] message) {
    return 16 + (message.length + 7) / 8 * 8 + 16;
  }

  @Test
  void shouldNotBelieveADamagedMessage() {
    ByteBuffer memory = memory();
    MessageBuffer sender = new MessageBuffer(memory);
    sender.begin().put(new byte[100]);
    sender.send();
    memory.put(16 + 50, (byte) 1);
    MessageBuffer receiver = new MessageBuffer(memory);
    assertThatThrownBy(receiver::poll)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("torn");
  }

  @Test
  void shouldBringMessagesWholeAndInOrderFromOneThreadToAnother() throws InterruptedException {
    ByteBuffer there = memory();
    ByteBuffer back = memory();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread echo =
        new Thread(
            () -> {
              MessageBuffer requests = new MessageBuffer(there);
              MessageBuffer replies = new MessageBuffer(back);
              try {
                while (true) {
                  ByteBuffer request = await(requests);
                  if (!request.hasRemaining()) {
                    return;
                  }
                  replies.begin().put(request);
                  replies.send();
                }
              } catch (RuntimeException e) {
                failure.set(e);
              }
            });
    echo.setDaemon(true);
    echo.start();
    SplittableRandom random = new SplittableRandom(2);
    MessageBuffer requests = new MessageBuffer(there);
    MessageBuffer replies = new MessageBuffer(back);
    for (int i = 0; i < 20_000; i++) {
      byte[] message = message(random);
      if (message.length > 0) {
        requests.begin().put(message);
        requests.send();
        assertThat(copyOf(await(replies))).isEqualTo(message);
      }
    }
    requests.begin();
    requests.send();
    echo.join();
    assertThat(failure.get()).isNull();
  }

  private static ByteBuffer await(MessageBuffer buffer) {
    long ends = System.nanoTime() + 10_000_000_000L;
    while (System.nanoTime() < ends) {
      ByteBuffer message = buffer.poll();
      if (message != null) {
        return message;
      }
      Thread.onSpinWait();
    }
    throw new IllegalStateException("no message in ten seconds");
  }
}
