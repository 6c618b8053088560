/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.RemoteSlots;
import io.kasane.rdma.wire.Frames.Hello;
import io.kasane.rdma.wire.Frames.Reply;
import io.kasane.rdma.wire.Frames.Request;
import io.kasane.rdma.wire.Frames.UcxAddress;
import io.kasane.rdma.wire.MemoryFrames.Memory;
import io.kasane.rdma.wire.MemoryFrames.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dkasane.rdma.frames=10000000} tries as many hostile frames, {@code -Dkasane.seed} others.
 */
class FramesTest {
  private static final int FRAMES = Integer.getInteger("kasane.rdma.frames", 200_000);
  private static final long SEED = Long.getLong("kasane.seed", 1);
  private static final List<ArenaKey> KEYS = List.of(key("a"), key(""), key("longer"));

  private interface Writing {
    void write(DataOutputStream out) throws IOException;
  }

  private static ArenaKey key(String text) {
    return ArenaKey.of(
        ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
        ByteBuffer.allocate(0));
  }

  private static byte[] written(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.write(out);
    }
    return bytes.toByteArray();
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  private static Reply reply() {
    return new Reply(
        7,
        List.of(
            new Answer(Outcome.HIT, ByteBuffer.wrap(new byte[] {1, 2, 3}), 5),
            new Answer(Outcome.MISS, null),
            new Answer(Outcome.HIT, ByteBuffer.allocate(0)),
            new Answer(Outcome.SILENT, null)));
  }

  @Test
  void whatIsAskedIsRead() throws IOException {
    Request request = new Request(5, KEYS);
    assertThat(Frames.readRequest(in(written(out -> Frames.writeRequest(out, request)))))
        .isEqualTo(request);
  }

  @Test
  void whatIsAnsweredIsRead() throws IOException {
    assertThat(Frames.readReply(in(written(out -> Frames.writeReply(out, reply())))))
        .isEqualTo(reply());
  }

  @Test
  void theBeginningIsRead() throws IOException {
    for (Service wanted : Service.values()) {
      Hello hello = new Hello("token", wanted);
      assertThat(Frames.readHello(in(written(out -> Frames.writeHello(out, hello)))))
          .isEqualTo(hello);
    }
    UcxAddress address = new UcxAddress(7, new byte[] {1, 2, 3});
    UcxAddress read =
        Frames.readUcxAddress(in(written(out -> Frames.writeUcxAddress(out, address))));
    assertThat(read.connection()).isEqualTo(7);
    assertThat(read.address()).containsExactly(1, 2, 3);
    assertThat(Frames.readWelcome(in(written(out -> Frames.writeWelcome(out, ""))))).isEmpty();
    assertThat(Frames.readWelcome(in(written(out -> Frames.writeWelcome(out, "no")))))
        .isEqualTo("no");
  }

  private static Memory memory() {
    byte[] head = new byte[RemoteSlots.HEAD_BYTES];
    head[3] = 4;
    return new Memory(
        head,
        12_288,
        List.of(
            new Part(0, 1L << 40, 4_096, new byte[] {1, 2}),
            new Part(4_096, -1, 8_192, new byte[] {3})));
  }

  @Test
  void whatIsSaidOfMemoryIsRead() throws IOException {
    Memory read = MemoryFrames.read(in(written(out -> MemoryFrames.write(out, memory()))));
    assertThat(read).usingRecursiveComparison().isEqualTo(memory());
  }

  @Test
  void whatDoesNotFitIsNotSent() throws IOException {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                written(
                    out ->
                        Frames.writeRequest(
                            out,
                            new Request(1, Collections.nCopies(Frames.MAX_KEYS + 1, key("a"))))));
    Answer large = new Answer(Outcome.HIT, ByteBuffer.allocate(1 << 20));
    Reply most = new Reply(1, Collections.nCopies(20, large));
    Reply read = Frames.readReply(in(written(out -> Frames.writeReply(out, most))));
    assertThat(read.answers()).hasSize(20);
    assertThat(read.answers().stream().filter(each -> each.outcome() == Outcome.HIT).count())
        .isEqualTo(7);
    assertThat(read.answers().get(19).outcome()).isEqualTo(Outcome.MISS);
  }

  @Test
  void whateverComesIsAFrameOrRefused() throws IOException {
    byte[] request = written(out -> Frames.writeRequest(out, new Request(5, KEYS)));
    byte[] reply = written(out -> Frames.writeReply(out, reply()));
    byte[] hello = written(out -> Frames.writeHello(out, new Hello("token", Service.TCP)));
    byte[] address = written(out -> Frames.writeUcxAddress(out, new UcxAddress(7, new byte[40])));
    byte[] memory = written(out -> MemoryFrames.write(out, memory()));
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < FRAMES; i++) {
      byte[] bytes = changed(List.of(request, reply, hello, address, memory).get(i % 5), random);
      try {
        switch (i % 5) {
          case 0 -> Frames.readRequest(in(bytes));
          case 1 -> Frames.readReply(in(bytes));
          case 2 -> Frames.readHello(in(bytes));
          case 3 -> Frames.readUcxAddress(in(bytes));
          default -> MemoryFrames.read(in(bytes));
        }
      } catch (IOException e) {
        assertThat(e).isNotNull(); // refused, or at its end
      }
    }
  }

  private static byte[] changed(byte[] good, SplittableRandom random) {
    byte[] bytes =
        java.util.Arrays.copyOf(
            good, random.nextInt(4) == 0 ? random.nextInt(good.length + 1) : good.length);
    for (int change = random.nextInt(4); change >= 0 && bytes.length > 0; change--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  /** The length alone takes no memory. */
  @Test
  void alengthThatNobodySendsTakesNoMemory() throws IOException {
    byte[] frame = written(out -> out.writeInt(Frames.MAX_REPLY_BYTES));
    assertThatExceptionOfType(MalformedFrameException.class)
        .isThrownBy(() -> Frames.readReply(in(frame)));
    byte[] longer = written(out -> out.writeInt(Frames.MAX_REPLY_BYTES + 1));
    assertThatExceptionOfType(MalformedFrameException.class)
        .isThrownBy(() -> Frames.readReply(in(longer)));
  }
}
