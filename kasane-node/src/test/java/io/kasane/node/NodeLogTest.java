/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeLogTest {
  @TempDir Path dir;

  @Test
  void shouldTellErrorsWithTheirCauses() throws Exception {
    Path file = dir.resolve("system.log");
    Files.writeString(
        file,
        """
        INFO  [main] 12:00 - starts
        ERROR [ReadStage-2] 12:01 - Exception in thread ReadStage-2
        java.lang.RuntimeException: no index
        \tat org.example.Read.run(Read.java:1)
        Caused by: java.io.IOException: gone
        \tat org.example.Read.read(Read.java:2)
        \t... 3 common frames omitted
        WARN  [main] 12:02 - slow
        java.lang.Exception: of a warning
        ERROR [main] 12:03 - disk full
        """);
    assertThat(new NodeLog(file, file).errors())
        .containsExactly(
            """
            ERROR [ReadStage-2] 12:01 - Exception in thread ReadStage-2
            java.lang.RuntimeException: no index
            Caused by: java.io.IOException: gone""",
            "ERROR [main] 12:03 - disk full");
  }
}
