/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.history.Anomaly;
import io.kasane.ramp.history.History;
import io.kasane.ramp.history.HistoryChecker;
import io.kasane.ramp.history.HistoryReport;
import io.kasane.ramp.version.Timestamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history of few transactions on a store in memory that may fail, or write halves. */
class RecordedSystemTest {
  private static final byte[] PAYLOAD = {1};

  @TempDir private Path dir;
  private final Map<Integer, StampedValue> values = new TreeMap<>();
  private final TransactionNumbers numbers = new TransactionNumbers();
  private boolean fails;
  private boolean halves;
  private History history;
  private TransactionSystem system;

  @BeforeEach
  void record() {
    history = History.in(dir.resolve("histories"), "some");
    system = new RecordedSystem(new Memory(), history, numbers);
  }

  @Test
  void shouldNameWritersAndWhatIsMissing() throws Exception {
    TransactionClient one = system.connect();
    long written = one.write(new int[] {1, 2}, PAYLOAD);
    system.connect().read(new int[] {2, 3});
    system.close();

    List<String> lines = Files.readAllLines(history.operations());
    // Numbers go by the clock: how far this one is above the writer's is chance.
    String read = lines.get(3).replaceFirst(".*,(\\d+)\\)", "$1");
    assertThat(Long.parseLong(read)).isGreaterThan(written);
    assertThat(lines)
        .containsExactly(
            "w(1," + written + ",1," + written + ")",
            "w(2," + written + ",1," + written + ")",
            "r(2," + written + ",2," + read + ")",
            "r(3,0,2," + read + ")");
    assertThat(check().isClean()).isTrue();
  }

  @Test
  void shouldGiveWhatWasNotAcknowledgedASessionOfItsOwn() throws Exception {
    TransactionClient client = system.connect();
    fails = true;
    assertThatThrownBy(() -> client.write(new int[] {1, 2}, PAYLOAD))
        .isInstanceOf(TransactionFailedException.class);
    client.read(new int[] {1});
    system.close();

    long number = values.get(1).number();
    assertThat(Files.readAllLines(history.operations()))
        .endsWith("w(1," + number + ",2," + number + ")", "w(2," + number + ",2," + number + ")");
    assertThat(check().isClean()).isTrue();
  }

  @Test
  void shouldShowHalvesToACheckerToo() throws Exception {
    TransactionClient client = system.connect();
    client.write(new int[] {1, 2}, PAYLOAD);
    client.read(new int[] {1, 2});
    halves = true;
    client.write(new int[] {1, 2}, PAYLOAD);
    client.read(new int[] {1, 2});
    system.close();

    assertThat(check().count(Anomaly.FRACTURED)).isEqualTo(1);
  }

  private HistoryReport check() throws IOException {
    return HistoryChecker.check(history, EnumSet.of(Anomaly.FRACTURED, Anomaly.THIN_AIR), false);
  }

  private final class Memory implements TransactionSystem, TransactionClient {
    @Override
    public TransactionClient connect() {
      return this;
    }

    @Override
    public Reading read(int[] keys) {
      return new Reading(
          Arrays.stream(keys)
              .filter(values::containsKey)
              .mapToObj(key -> seen(key, values.get(key)))
              .toList(),
          1);
    }

    private SeenValue seen(int key, StampedValue value) {
      return new SeenValue(key, new Timestamp(value.number(), 0), value);
    }

    @Override
    public long write(int[] keys, byte[] payload) {
      StampedValue value = new StampedValue(numbers.next(), keys, payload);
      Arrays.stream(keys).limit(halves ? 1 : keys.length).forEach(key -> values.put(key, value));
      if (fails) {
        throw new TransactionFailedException(new IOException("no answer"));
      }
      return value.number();
    }

    @Override
    public void close() {}
  }
}
