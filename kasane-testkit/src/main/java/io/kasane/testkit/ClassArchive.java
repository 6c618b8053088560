/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Makes an archive of Cassandra's classes, as a node has them once it serves: nodes that are
 * started with it spare a third of the processor time that their start takes. For tests only, as
 * the JVM says: the archive has classes that an agent may have changed.
 */
public final class ClassArchive {
  private ClassArchive() {}

  /** Starts a stock node, has it write and read, and stops it; the argument is the new file. */
  public static void main(String[] file) throws IOException {
    Path archive = Path.of(file[0]).toAbsolutePath();
    Files.deleteIfExists(archive);
    Path dir = Files.createTempDirectory("kasane-archive");
    LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(
                settings ->
                    settings
                        .withKasane(false)
                        .heap("512m")
                        .jvmFlag("-XX:TieredStopAtLevel=1")
                        .jvmFlag("-XX:+UnlockDiagnosticVMOptions")
                        .jvmFlag("-XX:+AllowArchivingWithJavaAgent")
                        .jvmFlag("-XX:ArchiveClassesAtExit=" + archive))
            .build();
    try (cluster) {
      LocalNode node = cluster.start().node(1);
      try (CqlSession session = node.connect();
          NodeJmx jmx = node.jmx()) {
        use(session, jmx);
      }
      node.stop();
    }
    try (Stream<Path> left = Files.walk(dir)) {
      for (Path each : left.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    if (!Files.exists(archive)) {
      throw new IllegalStateException("The node left no archive of classes in " + archive);
    }
  }

  private static void use(CqlSession session, NodeJmx jmx) throws IOException {
    session.execute(
        "CREATE KEYSPACE k WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE k.t (id int PRIMARY KEY, v text)");
    for (int id = 0; id < 10; id++) {
      session.execute("INSERT INTO k.t (id, v) VALUES (?, ?)", id, "value");
      session.execute("SELECT * FROM k.t WHERE id = ?", id);
    }
    jmx.flush("k", "t");
    session.execute("SELECT * FROM k.t").all();
  }
}
