/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.internals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.service.StorageServiceMBean;
import org.junit.jupiter.api.Test;

class NodetoolCommandsTest {
  private static final int DONE = 0;
  private static final int STOPPED = 1;

  private final List<String> calls = new ArrayList<>();
  private Object answer = DONE;
  private boolean isDone = true;

  private final NodetoolCommands.Listener listener =
      new NodetoolCommands.Listener() {
        @Override
        public boolean cleanup(String keyspace, List<String> tables) {
          calls.add("cleanup " + keyspace + " " + tables);
          return isDone;
        }

        @Override
        public void rebuildIndexes(String keyspace, String table, Set<String> indexes) {
          calls.add("rebuild " + keyspace + " " + table + " " + indexes);
        }
      };

  private final StorageServiceMBean bean =
      NodetoolCommands.wrapped(
          (StorageServiceMBean)
              Proxy.newProxyInstance(
                  StorageServiceMBean.class.getClassLoader(),
                  new Class<?>[] {StorageServiceMBean.class},
                  (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    if (answer instanceof Throwable failure) {
                      throw failure;
                    }
                    return answer;
                  }),
          listener);

  @Test
  void shouldCleanUpAfterCassandra() throws Exception {
    assertThat(bean.forceKeyspaceCleanup(2, "k", "t", "u")).isEqualTo(DONE);
    assertThat(bean.forceKeyspaceCleanup("k")).isEqualTo(DONE);
    assertThat(calls)
        .containsExactly(
            "forceKeyspaceCleanup", "cleanup k [t, u]", "forceKeyspaceCleanup", "cleanup k []");
    isDone = false;
    assertThat(bean.forceKeyspaceCleanup(2, "k")).isEqualTo(STOPPED);
  }

  @Test
  void shouldLeaveAloneWhatCassandraDidNotDo() throws Exception {
    answer = STOPPED;
    assertThat(bean.forceKeyspaceCleanup(2, "k")).isEqualTo(STOPPED);
    answer = new IOException("no such table");
    assertThatThrownBy(() -> bean.forceKeyspaceCleanup(2, "k", "t"))
        .isInstanceOf(IOException.class)
        .hasMessage("no such table");
    assertThat(calls).containsExactly("forceKeyspaceCleanup", "forceKeyspaceCleanup");
  }

  @Test
  void shouldRebuildIndexesAndPassOnTheRest() {
    answer = null;
    bean.rebuildSecondaryIndex("k", "t", "i", "j");
    assertThat(calls).first().isEqualTo("rebuildSecondaryIndex");
    assertThat(calls.get(1)).startsWith("rebuild k t").contains("i", "j");
    answer = "5.0.9";
    assertThat(bean.getReleaseVersion()).isEqualTo("5.0.9");
    assertThat(calls).hasSize(3);
  }
}
