/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.junit.jupiter.api.Test;

class QuotaGuardTest {
  private static final long FIXED = 24 << 10;

  /** Of Cassandra's interfaces only the answers that are asked for. */
  private static <T> T answering(Class<T> type, String method, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) ->
                switch (called.getName()) {
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> {
                    assertThat(called.getName()).isEqualTo(method);
                    yield answer;
                  }
                }));
  }

  private static Index.Group group(Index... indexes) {
    return answering(
        Index.Group.class, "getIndexes", Arrays.stream(indexes).collect(Collectors.toSet()));
  }

  private static Index attached() {
    Set<Component> components = Set.of(SSTableFormat.Components.DATA);
    return answering(Index.class, "getComponents", components);
  }

  private static Index ofATable() {
    return answering(Index.class, "getComponents", Set.of());
  }

  @Test
  void eachIndexThatWritesComponentsCounts() {
    assertThat(QuotaGuard.indexParts(List.of())).isZero();
    assertThat(QuotaGuard.indexParts(List.of(group(ofATable()), group(ofATable())))).isZero();
    assertThat(QuotaGuard.indexParts(List.of(group(attached())))).isEqualTo(2);
    assertThat(
            QuotaGuard.indexParts(
                List.of(
                    group(attached(), attached(), attached(), attached()),
                    group(ofATable()),
                    group(attached()))))
        .isEqualTo(6);
  }

  @Test
  void anIndexIsAsLargeAsTheDataUncompressedPerRowAndPerSSTable() {
    assertThat(QuotaGuard.boundBytes(400, 1000, 70, 0)).isEqualTo(400 + 70 + FIXED);
    assertThat(QuotaGuard.boundBytes(400, 1000, 70, 5))
        .isEqualTo(400 + 70 + FIXED + 5 * (1000 + 70 + FIXED));
  }
}
