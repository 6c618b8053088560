/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.version.Timestamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the logs of processes to what the checker says. */
class HistoryFilesTest {
  @TempDir Path folder;

  private final AtomicLong nanos = new AtomicLong();
  private History history;

  @BeforeEach
  void setUp() {
    history = History.in(folder, "history");
  }

  private HistoryWriter process(int number) throws IOException {
    return HistoryWriter.create(log(number), number, nanos::incrementAndGet);
  }

  private Path log(int number) {
    return folder.resolve(number + ".log");
  }

  private static Timestamp at(long micros) {
    return new Timestamp(micros, -1);
  }

  private HistoryReport check() throws IOException {
    return HistoryChecker.check(history, TransactionChecks.all(), false);
  }

  @Test
  void writesWhatPlumeReads() throws IOException {
    try (HistoryWriter writer = process(0)) {
      long session = writer.newSession();
      long first = writer.begin(session, List.of(10L, 11L), List.of());
      writer.acknowledged(first, at(100));
      writer.read(session, List.of(new KeyRead(10, first, at(100)), KeyRead.nothing(12)));
    }
    HistoryAssembler.assemble(List.of(log(0)), history);
    assertThat(history.operations())
        .hasContent("w(10,1,1,1)\nw(11,1,1,1)\nr(10,1,1,2)\nr(12,0,1,2)\n");
    assertThat(check().isClean()).isTrue();
  }

  @Test
  void numbersOfProcessesDoNotMeet() throws IOException {
    try (HistoryWriter one = process(1);
        HistoryWriter other = process(2)) {
      assertThat(one.begin(one.newSession(), List.of(1L), List.of()))
          .isNotEqualTo(other.begin(other.newSession(), List.of(1L), List.of()));
      assertThat(one.newSession()).isNotEqualTo(other.newSession());
    }
  }

  @Test
  void failedPutsAreAborted() throws IOException {
    try (HistoryWriter writer = process(0)) {
      long session = writer.newSession();
      long put = writer.begin(session, List.of(10L), List.of());
      writer.failed(put);
      writer.read(session, List.of(new KeyRead(10, put, at(5))));
    }
    HistoryAssembler.assemble(List.of(log(0)), history);
    assertThat(history.operations()).hasContent("r(10,1,1,2)\nw(10,1,2,-1)\n");
    assertThat(check().counts()).containsOnlyKeys(Anomaly.ABORTED);
  }

  @Test
  void retriedPutsAreAcknowledged() throws IOException {
    try (HistoryWriter writer = process(0)) {
      long put = writer.begin(writer.newSession(), List.of(10L), List.of());
      writer.failed(put);
      writer.acknowledged(put, at(5));
    }
    HistoryAssembler.assemble(List.of(log(0)), history);
    assertThat(history.operations()).hasContent("w(10,1,1,1)\n");
  }

  @Test
  void putsOfAKilledProcessHaveSessionsOfTheirOwn() throws IOException {
    try (HistoryWriter writer = process(0)) {
      long session = writer.newSession();
      writer.begin(session, List.of(10L), List.of());
      writer.unknown(writer.begin(session, List.of(10L), List.of()), at(5));
    }
    Files.writeString(log(0), "b 3 1 4 w1", StandardOpenOption.APPEND);
    HistoryAssembler.assemble(List.of(log(0)), history);
    assertThat(history.operations()).hasContent("w(10,1,2,1)\nw(10,2,3,2)\n");
  }

  @Test
  void deletionsAreFoundByTimestamp() throws IOException {
    try (HistoryWriter writer = process(0);
        HistoryWriter reader = process(1)) {
      long put = writer.begin(writer.newSession(), List.of(10L), List.of(11L));
      long session = reader.newSession();
      reader.read(session, List.of(KeyRead.deletion(11, at(5))));
      reader.read(session, List.of(new KeyRead(10, put, at(5))));
      reader.read(session, List.of(KeyRead.deletion(11, at(6))));
    }
    assertThat(HistoryAssembler.assemble(List.of(log(0), log(1)), history)).isEqualTo(1);
    assertThat(Files.readAllLines(history.operations())).contains("r(11,1,4294967297,4294967297)");
    assertThat(check().isClean()).isTrue();
  }

  @Test
  void whatIsLostShowsAtRest() throws IOException {
    try (HistoryWriter writer = process(0)) {
      long first = writer.begin(writer.newSession(), List.of(10L), List.of());
      writer.acknowledged(first, at(5));
      long second = writer.begin(writer.newSession(), List.of(10L), List.of());
      writer.acknowledged(second, at(6));
      writer.readAtRest(writer.newSession(), List.of(new KeyRead(10, first, at(5))));
    }
    HistoryAssembler.assemble(List.of(log(0)), history);
    assertThat(check().counts()).containsOnlyKeys(Anomaly.LOST);
    assertThat(check().keysAtRest()).isEqualTo(1);
  }

  @Test
  void eventsOfManyThreadsStayWhole() throws Exception {
    int threads = 4;
    int puts = 500;
    try (HistoryWriter writer = process(0)) {
      List<Thread> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Thread thread =
            new Thread(
                () -> {
                  long session = writer.newSession();
                  for (int n = 0; n < puts; n++) {
                    long put = writer.begin(session, List.of(1L, 2L), List.of());
                    writer.acknowledged(put, at(put));
                    writer.read(session, List.of(new KeyRead(1, put, at(put))));
                  }
                });
        thread.start();
        running.add(thread);
      }
      for (Thread thread : running) {
        thread.join();
      }
    }
    HistoryAssembler.assemble(List.of(log(0)), history);
    HistoryReport report = check();
    assertThat(report.puts()).isEqualTo((long) threads * puts);
    assertThat(report.gets()).isEqualTo((long) threads * puts);
    assertThat(report.count(Anomaly.THIN_AIR)).isZero();
  }

  @Test
  void aLineThatIsNoOperationIsNamed() throws IOException {
    Files.writeString(history.operations(), "w(1,2,3)\n");
    Files.writeString(history.transactions(), "");
    assertThatThrownBy(this::check)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("w(1,2,3)");
  }

  @Test
  void aLineThatIsNoEventIsNamed() throws IOException {
    Files.writeString(log(0), "x 1\n");
    assertThatThrownBy(() -> HistoryAssembler.assemble(List.of(log(0)), history))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x 1");
  }

  @Test
  void aProcessNumberOutOfBoundsIsRefused() {
    assertThatThrownBy(() -> process(HistoryWriter.MAX_PROCESS + 1))
        .hasMessageContaining(Integer.toString(HistoryWriter.MAX_PROCESS));
  }

  @Test
  void operationsAreReadAsWritten() {
    Stream.of("r(1,0,3,4)", "w(-5,99999999999,3,-1)")
        .forEach(line -> assertThat(Operation.parse(line)).hasToString(line));
  }
}
