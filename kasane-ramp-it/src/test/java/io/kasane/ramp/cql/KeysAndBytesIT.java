/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.protocol.NotCommittedException;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.UnavailableException;
import io.kasane.ramp.version.ItemKey;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The longest keys, and bytes that are no versions. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class KeysAndBytesIT {
  private CqlSession cql;
  private RampSession session;
  private RampTable<Integer, String> orders;
  private RampCollection<Integer, String, Long> lines;

  @BeforeAll
  void open(CqlSession driver, RampSession opened) {
    cql = driver;
    session = opened;
    orders = session.table("kb_orders", Codecs.int32(), Codecs.text());
    lines = session.collection("kb_lines", Codecs.int32(), Codecs.text(), Codecs.int64());
  }

  @Test
  void theLongestItemsAreKeptAndAreBoundsOfRanges() {
    String longest = "x".repeat(65_515);
    assertThatThrownBy(() -> session.write().put(lines, 62, longest + "x", 1L))
        .hasMessageContaining("item in table kb_lines has 65516 bytes; 1 to 65515");
    session.write().put(lines, 62, "w", 1L).commit();
    session.write().put(lines, 62, longest, 2L).commit();
    session.write().put(lines, 62, "y", 3L).commit();
    RampRange<String> all = RampRange.all();
    assertThat(session.items(lines, 62, all.from(longest).before("y")).items())
        .containsOnlyKeys(longest);
    assertThat(session.items(lines, 62, all.after(longest)).items()).containsOnlyKeys("y");
    assertThat(session.items(lines, 62, all.after("w").upTo(longest)).items())
        .containsOnlyKeys(longest);
  }

  @Test
  void damagedItemsAreWrittenWithoutLooking() {
    session.put(orders, 61, "beside");
    session.write().put(lines, 61, "pear", 1L).commit();
    ItemKey key = lines.keyOf(61, "pear");
    cql.execute(
        SimpleStatement.newInstance(
                "UPDATE uses.kb_lines SET body = 0x0011 WHERE partition = ? AND kind = 0 AND item = ?"
                    + " AND version = 0x",
                key.partition().toBuffer(),
                key.item().toBuffer())
            .setConsistencyLevel(ConsistencyLevel.ALL));
    assertThatThrownBy(() -> session.newSession().items(lines, 61))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("damaged");
    assertThatThrownBy(() -> session.write().put(lines, 61, "pear", 2L).commit())
        .isInstanceOf(NotCommittedException.class)
        .hasMessageContaining("checkMarkers off");

    RampOptions unchecked = RampOptions.defaults().withCheckMarkers(false);
    try (RampSession mending = RampSession.builder(cql, "uses").options(unchecked).build()) {
      mending.write().put(lines, 61, "pear", 3L).commit();
    }
    assertThat(session.newSession().items(lines, 61)).containsExactly(Map.entry("pear", 3L));
  }

  @Test
  void damagedBytesAreNamedWithTheWayOutOfIt() {
    session.put(orders, 60, "whole");
    ItemKey key = orders.keyOf(60);
    cql.execute(
        SimpleStatement.newInstance(
                "UPDATE uses.kb_orders SET body = 0x0011 WHERE partition = ? AND kind = 0 AND item = ?"
                    + " AND version = 0x",
                key.partition().toBuffer(),
                key.item().toBuffer())
            .setConsistencyLevel(ConsistencyLevel.ALL));
    assertThatThrownBy(() -> session.newSession().get(orders, 60))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("bytes are damaged")
        .hasMessageContaining("checkMarkers off");
    assertThat(
            session
                .newSession()
                .getAsync(orders, 60)
                .handle((value, failure) -> failure)
                .toCompletableFuture()
                .join())
        .as("the failure of a stage, not wrapped")
        .isInstanceOf(UnavailableException.class);
    session.put(orders, 60, "mended");
    assertThat(session.newSession().get(orders, 60)).contains("mended");
  }
}
