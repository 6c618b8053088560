/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.heal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class KeyTextTest {
  @Property
  void readsWhatMessagesPrint(@ForAll @NotEmpty byte[] partition, @ForAll byte[] item) {
    ItemKey key = new ItemKey("orders", Bytes.copyOf(partition), Bytes.copyOf(item));
    assertThat(KeyText.parse(key.toString())).isEqualTo(key);
    assertThat(KeyText.parse("[" + key + ",")).isEqualTo(key);
    assertThat(KeyText.parse(key + "]:")).isEqualTo(key);
  }

  @Test
  void refusesOtherText() {
    for (String text : new String[] {"orders", "/0x01", "orders/0x01/0x02/0x03", ""}) {
      assertThatThrownBy(() -> KeyText.parse(text)).hasMessageContaining("write TABLE/0xPARTITION");
    }
    for (String text : new String[] {"orders/01", "orders/0x", "orders/0x1", "orders/0x01/0xzz"}) {
      assertThatThrownBy(() -> KeyText.parse(text)).hasMessageContaining("pairs of hex digits");
    }
  }
}
