/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.refuse;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CassandraVersionTest {
  @Test
  void theLineIsAccepted() {
    CassandraVersion.check("5.0.9");
    CassandraVersion.check("5.0.12-SNAPSHOT");
  }

  @Test
  void otherLinesAreRefusedWithTheWayOut() {
    for (String version : new String[] {"4.1.7", "5.1.0", "50.0.1", "6.0-alpha1", null}) {
      assertThatThrownBy(() -> CassandraVersion.check(version))
          .isInstanceOf(HostException.class)
          .hasMessageContaining("5.0.x")
          .hasMessageContaining("Install the Kasane jars made for that line");
    }
  }
}
