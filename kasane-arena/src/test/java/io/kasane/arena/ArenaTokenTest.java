/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ArenaTokenTest {
  private static final byte[] KEY = new byte[ArenaToken.KEY_BYTES];
  private static final ArenaToken TOKEN =
      new ArenaToken("shop.carts", new UUID(1, 2), Instant.ofEpochMilli(1_800_000_000_000L));

  @Test
  void whatIsSignedIsRead() {
    assertThat(ArenaToken.verify(TOKEN.sign(KEY), KEY)).isEqualTo(TOKEN);
    ArenaToken memory = new ArenaToken(TOKEN.table(), TOKEN.tableId(), TOKEN.expires(), true);
    assertThat(ArenaToken.verify(memory.sign(KEY), KEY)).isEqualTo(memory).isNotEqualTo(TOKEN);
  }

  @Test
  void anotherKeysTokenIsRefused() {
    byte[] other = KEY.clone();
    other[0] = 1;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArenaToken.verify(TOKEN.sign(other), KEY));
  }

  @Test
  void aTokenThatWasChangedIsRefused() {
    byte[] bytes = Base64.getUrlDecoder().decode(TOKEN.sign(KEY));
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
      assertThatIllegalArgumentException()
          .as("bit %d", bit)
          .isThrownBy(() -> ArenaToken.verify(text, KEY));
    }
  }

  @Test
  void whatIsNoTokenIsRefused() {
    for (String text :
        new String[] {"", "?", "AAAA", "A".repeat(100), "A".repeat(ArenaToken.MAX_LENGTH + 1)}) {
      assertThatIllegalArgumentException().isThrownBy(() -> ArenaToken.verify(text, KEY));
    }
    byte[] noName =
        Base64.getUrlDecoder().decode(new ArenaToken("", new UUID(1, 2), Instant.EPOCH).sign(KEY));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ArenaToken.verify(
                    Base64.getUrlEncoder().encodeToString(Arrays.copyOf(noName, noName.length)),
                    KEY));
  }
}
