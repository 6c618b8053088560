/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.cassandra.db.DisallowedDirectories;
import org.apache.cassandra.io.util.File;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnwritableDirectoriesTest {
  @TempDir private Path fast;

  @Test
  void cassandraKnowsWhatWasMarkedAndSaysNothing() {
    File directory = new File(fast);
    File later = new File(fast.resolve("created-later"));
    int version = DisallowedDirectories.getDirectoriesVersion();
    PrintStream out = System.out;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setOut(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      UnwritableDirectories.mark(directory);
      UnwritableDirectories.mark(later);
      UnwritableDirectories.mark(later);
    } finally {
      System.setOut(out);
    }

    assertThat(DisallowedDirectories.isUnwritable(directory)).isTrue();
    assertThat(DisallowedDirectories.isUnwritable(later)).isTrue();
    assertThat(DisallowedDirectories.isUnreadable(directory)).isFalse();
    assertThat(DisallowedDirectories.getDirectoriesVersion()).isEqualTo(version + 2);
    assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("Disallowing");
  }
}
