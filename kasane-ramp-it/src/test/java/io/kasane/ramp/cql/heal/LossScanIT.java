/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.heal;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.version.Timestamp;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What storage lost is found, by whatever is left of it. */
@Tag("node")
@ExtendWith(UsesNode.class)
class LossScanIT {
  @Test
  void shouldFindALossByADeletionThatWasSwept(CqlSession cql, RampSession session) {
    RampTable<String, String> moved = session.table("loss_moved", Codecs.text(), Codecs.text());
    RampCollection<String, String, String> places =
        session.collection("loss_places", Codecs.text(), Codecs.text(), Codecs.text());
    session.write().put(places, "a", "one", "here").commit();
    session.write().put(places, "a", "two", "here").commit();
    Timestamp lost = session.write().delete(places, "a", "one").put(moved, "one", "there").commit();
    cql.execute("TRUNCATE uses.loss_moved");
    // As a sweep leaves it.
    cql.execute(
        "DELETE FROM uses.loss_places WHERE partition = ? AND kind = 0 AND item = ?",
        Codecs.text().encode("a").toBuffer(),
        Codecs.text().encode("one").toBuffer());

    Healing healing = new Healing(session.newSession(), false, (loss, healed) -> {});
    LossScan.Result result = new LossScan(cql, "uses", healing).scan("loss_places");

    assertThat(healing.lost()).containsExactly(lost);
    assertThat(result).isEqualTo(new LossScan.Result(1, 0, 0));
  }
}
