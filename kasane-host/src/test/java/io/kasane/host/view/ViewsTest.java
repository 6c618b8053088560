/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ViewsTest {
  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  private static VirtualTable table(String name) {
    return Views.table(name, "", "k text, v int, PRIMARY KEY (k)", 1, rows -> {});
  }

  private static VirtualTable shown(VirtualTable table) {
    return VirtualKeyspaceRegistry.instance.getTableNullable(table.metadata().id);
  }

  @Test
  void shouldShowTablesOfSeveralPartsSideBySide() {
    VirtualTable tiers = table("tiers");
    VirtualTable engines = table("engines");
    Views.register(List.of(tiers));
    Views.register(List.of(engines));

    assertThat(shown(tiers)).isSameAs(tiers);
    assertThat(shown(engines)).isSameAs(engines);
    assertThat(VirtualKeyspaceRegistry.instance.getKeyspaceNullable(Views.KEYSPACE).tables())
        .contains(tiers, engines);

    VirtualTable again = table("tiers");
    Views.register(List.of(again));
    assertThat(shown(tiers)).isSameAs(again);
    assertThat(shown(engines)).isSameAs(engines);
  }
}
