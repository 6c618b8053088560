/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.Distribution;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A process that reads a table from shared memory until it is killed. */
final class EndlessReader {
  private static final String READS = "reads from memory";

  private EndlessReader() {}

  /** Starts one, and kills it once it has read from memory. */
  static void killWhileItReads(LocalNode node, Path arenas, String table, int keys)
      throws IOException, InterruptedException {
    Process client =
        new ProcessBuilder(
                Distribution.javaLauncher().toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                EndlessReader.class.getName(),
                node.settings().address(),
                Integer.toString(node.settings().nativePort()),
                arenas.toString(),
                table,
                Integer.toString(keys))
            .redirectErrorStream(true)
            .start();
    List<String> said = new ArrayList<>();
    try (BufferedReader out = client.inputReader(UTF_8)) {
      String line = out.readLine();
      while (line != null && !line.contains(READS)) {
        said.add(line);
        line = out.readLine();
      }
      assertThat(line).as("%s", said).isNotNull();
    } finally {
      client.destroyForcibly().waitFor();
    }
  }

  /** Takes address, port, directory of arenas, table, and how many keys it has. */
  public static void main(String[] args) {
    try (CqlSession cql =
            CqlSession.builder()
                .addContactPoint(new InetSocketAddress(args[0], Integer.parseInt(args[1])))
                .withLocalDatacenter("datacenter1")
                .build();
        RampSession session = RampSession.builder(cql, "shop").arenas(Path.of(args[2])).build()) {
      RampTable<Long, Long> table = session.table(args[3], Codecs.int64(), Codecs.int64());
      Set<Long> keys =
          LongStream.range(0, Integer.parseInt(args[4])).boxed().collect(Collectors.toSet());
      boolean isSaid = false;
      while (true) {
        session.newSession().getAll(table, keys);
        if (!isSaid && session.metrics().arenas().orElseThrow().hits() > 0) {
          System.out.println(READS);
          isSaid = true;
        }
      }
    }
  }
}
