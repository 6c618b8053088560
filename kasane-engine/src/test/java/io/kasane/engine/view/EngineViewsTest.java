/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.schema.ColumnMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EngineViewsTest {
  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  /** Cassandra takes them, and a SELECT needs no quotes. */
  @Test
  void shouldHaveTablesAndColumnsThatCqlCanName() {
    assertThat(EngineViews.of(null)).extracting(VirtualTable::name).contains("engines");
    for (VirtualTable table : EngineViews.of(null)) {
      for (ColumnMetadata column : table.metadata().columns()) {
        assertThat(column.name.toCQLString()).isEqualTo(column.name.toString());
      }
    }
  }
}
