/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("node")
@Tag("long")
class ArenaDemoIT {
  @Test
  void shouldShowTheSameReadsInBothWays() throws InterruptedException {
    StringWriter shown = new StringWriter();
    assertThat(ArenaDemo.run(Duration.ofSeconds(5), new PrintWriter(shown)))
        .as("%s", shown)
        .isZero();
    assertThat(shown.toString()).contains("shared memory", "halves seen");
  }
}
