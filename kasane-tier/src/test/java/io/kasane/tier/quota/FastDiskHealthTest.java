/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastDiskHealthTest {
  private static final Path ONE = Path.of("/fast1");
  private static final Path OTHER = Path.of("/fast2");
  private final IOException eio = new IOException("Input/output error");

  private long nanos;
  private int probes;
  private boolean works;
  private final FastDiskHealth health =
      new FastDiskHealth(
          List.of(ONE, OTHER),
          () -> nanos,
          directory -> {
            probes++;
            if (!works) {
              throw eio;
            }
          });

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    health.tryAgain();
  }

  @Test
  void aDirectoryThatFailedAWriteIsGivenUpAndNoOther() {
    health.failed("/fast1/k/t/nb-1-big-Data.db", eio);
    assertThat(health.takesWrites(ONE)).isFalse();
    assertThat(health.takesWrites(OTHER)).isTrue();
    assertThat(health.takesWritesAt(Path.of("/fast1/k/t"))).isFalse();
    assertThat(health.takesWritesAt(Path.of("/fast2/k/t"))).isTrue();
    assertThat(health.anyTakesWrites()).isTrue();
    health.failed("/who/knows", eio);
    assertThat(health.anyTakesWrites()).isFalse();
  }

  @Test
  void itIsTriedEverMoreRarelyUntilItWorks() {
    health.failed("/fast1/x", eio);
    health.tryAgain();
    assertThat(probes).as("at once").isZero();
    pass(1);
    assertThat(probes).isEqualTo(1);
    pass(1);
    assertThat(probes).as("after a second more").isEqualTo(1);
    pass(1);
    assertThat(probes).isEqualTo(2);
    for (int second = 0; second < 3600; second++) {
      pass(1);
    }
    assertThat(probes).as("in an hour").isBetween(12, 25);
    works = true;
    pass(300);
    assertThat(health.takesWrites(ONE)).isTrue();
  }

  @Test
  void aDiskThatTakesSmallFilesOnlyRestsLongerEachTimeUntilRowsWereWritten() {
    works = true;
    health.failed("/fast1/x", eio);
    pass(1);
    assertThat(health.takesWrites(ONE)).isTrue();
    health.failed("/fast1/x", eio);
    pass(1);
    assertThat(health.takesWrites(ONE)).isFalse();
    pass(1);
    assertThat(health.takesWrites(ONE)).isTrue();
    health.succeeded();
    health.failed("/fast1/x", eio);
    pass(1);
    assertThat(health.takesWrites(ONE)).isTrue();
  }

  @Test
  void theProbeLeavesNothingBehind(@TempDir Path directory) throws IOException {
    FastDiskHealth.writeProbe(directory);
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }
}
