/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.service.StorageServiceMBean;
import org.junit.jupiter.api.Test;

class NodetoolCommandsTest {
  private final List<String> calls = new ArrayList<>();
  private Object answer;

  private final NodetoolCommands.Listener listener =
      new NodetoolCommands.Listener() {
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
  void shouldLeaveAloneWhatCassandraDidNotDo() {
    answer = new IllegalArgumentException("no such index");
    assertThatThrownBy(() -> bean.rebuildSecondaryIndex("k", "t", "i"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such index");
    assertThat(calls).containsExactly("rebuildSecondaryIndex");
  }

  @Test
  void shouldRebuildIndexesAndPassOnTheRest() {
    bean.rebuildSecondaryIndex("k", "t", "i", "j");
    assertThat(calls).first().isEqualTo("rebuildSecondaryIndex");
    assertThat(calls.get(1)).startsWith("rebuild k t").contains("i", "j");
    answer = "5.0.9";
    assertThat(bean.getReleaseVersion()).isEqualTo("5.0.9");
    assertThat(calls).hasSize(3);
  }
}
