/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.spi.EngineException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoLogTest {
  private static final byte[] KEY = {1};
  private static final byte[] OTHER = {2};

  private final UndoLog log = new UndoLog("t", new UndoLog.Budget(1_000));

  private void change(byte[] key, byte[] old) {
    assertThat(log.begin()).isTrue();
    log.keep(List.of(key), Collections.singletonList(old));
    log.end();
  }

  @Test
  void eachSnapshotFindsWhatWasReplacedFirstAfterIt() {
    long first = log.open();
    change(KEY, new byte[] {10});
    long second = log.open();
    change(KEY, null);
    assertThat(log.find(first, KEY).value()).containsExactly(10);
    assertThat(log.find(second, KEY).value()).isNull();
    assertThat(log.find(second, OTHER)).isNull();
    log.close(first);
    assertThat(log.find(second, KEY).value()).isNull();
    assertThat(log.find(log.open(), KEY)).isNull();
  }

  @Test
  void nothingIsKeptWhileNobodyReads() {
    assertThat(log.begin()).isFalse();
    log.end();
    long snapshot = log.open();
    change(KEY, null);
    log.close(snapshot);
    assertThat(log.begin()).isFalse();
    log.end();
  }

  @Test
  void rangesHaveBothTheirBounds() {
    long snapshot = log.open();
    change(KEY, new byte[] {10});
    change(OTHER, new byte[] {20});
    assertThat(log.find(snapshot, KEY, true, OTHER, true)).hasSize(2);
    assertThat(log.find(snapshot, KEY, false, OTHER, true)).containsOnlyKeys(OTHER);
    assertThat(log.find(snapshot, KEY, true, OTHER, false)).containsOnlyKeys(KEY);
    assertThat(log.find(snapshot, KEY, true, null, false)).hasSize(2);
  }

  @Test
  void aSnapshotIsTooOldWhenMoreHasChangedThanIsKept() {
    long old = log.open();
    change(KEY, new byte[500]);
    long young = log.open();
    change(KEY, new byte[700]);
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> log.find(old, KEY))
        .withMessageContaining("too old");
    assertThat(log.find(young, KEY).value()).hasSize(700);
  }
}
