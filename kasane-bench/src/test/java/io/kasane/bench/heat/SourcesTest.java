/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.heat.sim.Trace;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;
import picocli.CommandLine;

class SourcesTest {
  private static final HeatScale SCALE =
      new HeatScale("test", 1000, 20_000, 1000, 20_000, Duration.ZERO);

  @TempDir private Path dir;

  private static List<String> names(String... words) {
    return Sources.named(List.of(words), SCALE, 1).stream().map(Source::name).toList();
  }

  private static byte[] trace(int keys) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * keys);
    IntStream.range(0, keys).forEach(bytes::putInt);
    return bytes.array();
  }

  @Test
  void areAllGeneratedStreamsUnlessNamed() {
    assertThat(names().stream().collect(Collectors.joining(", "))).isEqualTo(Sources.NAMES);
    assertThat(names("shift", "uniform")).containsExactly("uniform", "shift");
  }

  @Test
  void takeTracesBeside() throws IOException {
    Path plain = dir.resolve("orders.trace");
    Files.write(plain, trace(200));
    Path packed = dir.resolve("shop, night.trace.xz");
    try (OutputStream out = new XZOutputStream(Files.newOutputStream(packed), new LZMA2Options())) {
      out.write(trace(300));
    }
    assertThat(names("drift", plain.toString(), packed.toString()))
        .containsExactly("drift", "orders", "shop__night");
    assertThat(names(plain.toString())).hasSize(8);
  }

  @Test
  void shiftToOtherKeysAtHalfTime() {
    Source shift = Sources.named(List.of("shift"), SCALE, 1).get(0);
    Trace trace = shift.trace().get();
    assertThat(shift.shifts()).isTrue();
    assertThat(hottest(trace, 0)).isZero();
    assertThat(hottest(trace, 1)).isEqualTo(500);
  }

  private static int hottest(Trace trace, int half) {
    int[] counts = new int[1000];
    IntStream.range(trace.beginOf(half, 2), trace.beginOf(half + 1, 2))
        .forEach(i -> counts[trace.keyAt(i)]++);
    return IntStream.range(0, counts.length)
        .reduce((a, b) -> counts[b] > counts[a] ? b : a)
        .orElseThrow();
  }

  @Test
  void areRefusedWithAWayOut() throws IOException {
    Path cut = dir.resolve("cut.trace");
    Files.write(cut, new byte[401]);
    Path few = dir.resolve("few.trace");
    Files.write(few, trace(99));
    Path notPacked = dir.resolve("plain.trace.xz");
    Files.write(notPacked, trace(200));
    Path zipf = dir.resolve("zipf-0.99.trace");
    Files.write(zipf, trace(200));

    refused("gauss", "'gauss'", Sources.NAMES, ".trace.xz");
    refused(dir.resolve("none.trace").toString(), "none.trace", "NoSuchFile");
    refused(cut.toString(), "401 bytes", "multiple of 4");
    refused(few.toString(), "99 keys", "at least 100");
    refused(notPacked.toString(), "plain.trace.xz", "Name another file");
    refused(zipf.toString(), "two are called 'zipf-0.99'", "rename");
  }

  private static void refused(String word, String... parts) {
    assertThatThrownBy(() -> names(word))
        .isInstanceOf(NodeException.class)
        .hasMessageContainingAll("SOURCE", parts[0])
        .hasMessageContainingAll(parts);
  }

  @Test
  void areReadBeforeThereIsAFolder() {
    Path out = dir.resolve("out");
    HeatCommand command = new HeatCommand();
    new CommandLine(command).parseArgs("--out", out.toString(), "gauss");
    assertThatThrownBy(command::call).hasMessageContaining("'gauss'");
    new CommandLine(command).parseArgs("--out", out.toString(), "--scale", "huge");
    assertThatThrownBy(command::call).hasMessageContaining("'huge' is none of smoke, small, paper");
    assertThat(out).doesNotExist();
  }
}
