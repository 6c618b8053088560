/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.store.VersionStoreContract;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryVersionStoreTest extends VersionStoreContract {
  private static final Timestamp TIMESTAMP = new Timestamp(42, 1);

  private final MemoryVersionStore store = new MemoryVersionStore();

  @Override
  protected TableStore store() {
    return store;
  }

  @Override
  protected String table() {
    return "versions";
  }

  private static Write write(String table, String partition, String item, Optional<Bytes> value) {
    return new Write(
        new ItemKey(table, Bytes.utf8(partition), Bytes.utf8(item)),
        new Version(TIMESTAMP, new UnknownSiblings(), value));
  }

  @Test
  void partitionsAreOfTheTableAndEachOnce() throws Exception {
    Optional<Bytes> value = Optional.of(Bytes.utf8("value"));
    get(store.commit(List.of(write("b", "one", "x", value), write("b", "one", "y", value))));
    get(store.prepare(List.of(write("b", "two", "", value))));
    get(store.commit(List.of(write("a", "before", "", value), write("c", "after", "", value))));

    assertThat(store.partitions("b"))
        .containsExactlyInAnyOrder(Bytes.utf8("one"), Bytes.utf8("two"));
    assertThat(store.partitions("none")).isEmpty();
  }

  @Test
  void whatIsPurgedIsNoPartitionAnyMore() throws Exception {
    Write deletion = write("b", "one", "", Optional.empty());
    get(store.commit(List.of(deletion)));
    get(store.purge(deletion.key(), TIMESTAMP));
    get(store.purge(write("b", "never", "", Optional.empty()).key(), TIMESTAMP));

    assertThat(store.partitions("b")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "two words",
        "a-b",
        "naïve",
        "a123456789b123456789c123456789d123456789e12345678"
      })
  void namesThatCassandraRefusesAreRefused(String name) {
    assertThatThrownBy(() -> get(store.open(name)))
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no tables named '" + name + "'");
  }

  @Test
  void otherNamesAreNot() throws Exception {
    get(store.open("a123456789b123456789c123456789d123456789e1234567"));
    get(store.open("Orders_2"));
  }
}
