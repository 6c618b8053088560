/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may read the views of a node that checks permissions. */
@Tag("node")
class KeysOfOthersIT {
  private static final String SECRET = "patient-4711";

  @TempDir private Path dir;

  @Test
  void shouldShowNoKeys() {
    LocalCluster cluster =
        Tiered.oneNode(
            dir,
            settings ->
                settings
                    .heap("600m")
                    .yaml("authenticator", "PasswordAuthenticator")
                    .yaml("authorizer", "CassandraAuthorizer"));
    LocalNode node = cluster.start().node(1);
    try {
      try (CqlSession session = connect(node)) {
        Tiered.createKeyspace(session, 1);
        session.execute(
            "CREATE TABLE k.secret (id text PRIMARY KEY) WITH compaction = " + Tiered.strategy());
        read(session);
        assertThat(hottest(session)).isNotEmpty().allMatch(key -> key.matches("token -?\\d+"));
      }
    } finally {
      node.kill9();
    }
  }

  private static void read(CqlSession session) {
    session.execute("INSERT INTO k.secret (id) VALUES (?)", SECRET);
    for (int i = 0; i < 400; i++) { // one read in 32 tells the key
      session.execute("SELECT id FROM k.secret WHERE id = ?", SECRET);
    }
  }

  private static List<String> hottest(CqlSession session) {
    return session
        .execute(
            "SELECT key FROM kasane_views.hottest_keys WHERE keyspace_name = 'k' AND table_name ="
                + " 'secret'")
        .map(row -> row.getString("key"))
        .all();
  }

  /** The first superuser is made some time after the node serves. */
  private static CqlSession connect(LocalNode node) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptionsInstanceOf(AuthenticationException.class)
        .ignoreExceptionsInstanceOf(AllNodesFailedException.class)
        .until(
            () ->
                CqlSession.builder()
                    .addContactPoint(
                        new InetSocketAddress(
                            node.settings().address(), node.settings().nativePort()))
                    .withLocalDatacenter("datacenter1")
                    .withAuthCredentials("cassandra", "cassandra")
                    .build(),
            session -> true);
  }
}
