/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CheckedRowsTest {
  private static final int KEY = 3;

  private final CheckedRows rows = new CheckedRows(10);

  private boolean isRight(int lowest, int version) {
    return rows.isRight(KEY, lowest, version, RowContent.payload(KEY, version));
  }

  @Test
  void shouldAcceptOnlyTheLoadedVersionBeforeAnyUpdate() {
    int lowest = rows.beginRead(KEY);

    assertThat(isRight(lowest, 0)).isTrue();
    assertThat(isRight(lowest, 1)).isFalse();
    assertThat(isRight(lowest, -1)).isFalse();
  }

  @Test
  void shouldAcceptOldAndNewWhileAnUpdateIsInFlight() {
    assertThat(rows.beginUpdate(KEY)).hasValue(1);
    int lowest = rows.beginRead(KEY);

    assertThat(isRight(lowest, 0)).isTrue();
    assertThat(isRight(lowest, 1)).isTrue();
    assertThat(isRight(lowest, 2)).isFalse();
  }

  @Test
  void shouldCatchALostAcknowledgedUpdate() {
    rows.updateSucceeded(KEY, rows.beginUpdate(KEY).orElseThrow());

    assertThat(isRight(rows.beginRead(KEY), 0)).isFalse();
    assertThat(isRight(rows.beginRead(KEY), 1)).isTrue();
  }

  @Test
  void shouldAcceptTheOldVersionIfTheReadBeganBeforeTheAcknowledgement() {
    int version = rows.beginUpdate(KEY).orElseThrow();
    int lowest = rows.beginRead(KEY);
    rows.updateSucceeded(KEY, version);

    assertThat(isRight(lowest, 0)).isTrue();
    assertThat(isRight(lowest, 1)).isTrue();
  }

  @Test
  void shouldAcceptANewVersionSentWhileTheReadWasUnderWay() {
    int lowest = rows.beginRead(KEY);
    rows.beginUpdate(KEY).orElseThrow();

    assertThat(isRight(lowest, 1)).isTrue();
  }

  @Test
  void shouldKeepBothPossibleAfterAFailureAndNeverReuseAVersion() {
    assertThat(rows.beginUpdate(KEY)).hasValue(1);
    rows.updateFailed(KEY);
    int lowest = rows.beginRead(KEY);

    assertThat(isRight(lowest, 0)).isTrue();
    assertThat(isRight(lowest, 1)).isTrue();
    assertThat(rows.beginUpdate(KEY)).hasValue(2);
    rows.updateSucceeded(KEY, 2);
    assertThat(isRight(rows.beginRead(KEY), 1)).isFalse();
  }

  @Test
  void shouldAllowOneUpdateOfAKeyAtATime() {
    assertThat(rows.beginUpdate(KEY)).hasValue(1);
    assertThat(rows.beginUpdate(KEY)).isEmpty();
    assertThat(rows.beginUpdate(KEY + 1)).hasValue(1);
  }

  @Test
  void shouldCatchAPayloadOfAnotherKeyOrVersionOrLength() {
    rows.updateSucceeded(KEY, rows.beginUpdate(KEY).orElseThrow());
    ByteBuffer right = RowContent.payload(KEY, 1);

    assertThat(rows.isRight(KEY, 0, 1, RowContent.payload(KEY, 0))).isFalse();
    assertThat(rows.isRight(KEY, 0, 1, RowContent.payload(KEY + 1, 1))).isFalse();
    assertThat(rows.isRight(KEY, 0, 1, right.slice(0, right.limit() - 1))).isFalse();
    assertThat(rows.isRight(KEY, 0, 1, null)).isFalse();
    assertThat(rows.isRight(KEY, 0, 1, right)).isTrue();
  }

  @Test
  void shouldMakePayloadsOfTheirLengthThatDiffer() {
    for (int key = 0; key < 2000; key++) {
      ByteBuffer payload = RowContent.payload(key, key % 3);
      assertThat(payload.remaining())
          .isEqualTo(RowContent.length(key, key % 3))
          .isBetween(RowContent.MIN_BYTES, RowContent.MAX_BYTES);
      assertThat(payload).isNotEqualTo(RowContent.payload(key + 1, key % 3));
      assertThat(payload).isEqualTo(RowContent.payload(key, key % 3));
    }
  }
}
