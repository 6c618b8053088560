/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A foreign key and a view on a real node; a line is "order:what", a user "country name", as in "fr
 * Zoe".
 */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class ForeignKeyAndViewIT {
  private RampSession session;
  private RampTable<String, String> orders;
  private ForeignKey<String, String, String, String> lines;
  private MaterialisedView<String, String, String, String> users;

  @BeforeAll
  void open(RampSession opened) {
    session = opened;
    orders = session.table("orders", Codecs.text(), Codecs.text());
    lines =
        ForeignKey.open(
            session,
            orders,
            RowTable.of("lines", Codecs.text(), Codecs.text()),
            "lines_of_orders",
            line -> line.substring(0, line.indexOf(':')));
    users =
        MaterialisedView.open(
            session,
            RowTable.of("users", Codecs.text(), Codecs.text()),
            "names_by_country",
            Codecs.text(),
            Codecs.text(),
            (id, user) -> Map.of(user.substring(0, 2), user.substring(3)));
  }

  @Test
  void aFamilyIsReadWhole() {
    session.put(orders, "o1", "Ada");
    assertThat(lines.putChild(session, "l1", "o1:pears")).isPresent();
    assertThat(lines.putChild(session, "l2", "o1:plums")).isPresent();
    assertThat(lines.family(session, "o1"))
        .contains(new Family<>("Ada", Map.of("l1", "o1:pears", "l2", "o1:plums")));
    assertThat(lines.child(session, "l1")).contains("o1:pears");
  }

  @Test
  void aChildWithoutAParentIsNotWritten() {
    assertThat(lines.putChild(session, "l3", "nobody:pears")).isEmpty();
    session.put(orders, "nobody", "came later");
    assertThat(lines.family(session, "nobody")).contains(new Family<>("came later", Map.of()));
  }

  @Test
  void deletingAParentDeletesItsChildren() {
    lines.put(session, "o4", "Cyd", Map.of("l4", "o4:pears", "l5", "o4:plums"));
    lines.delete(session, "o4");
    assertThat(lines.family(session, "o4")).isEmpty();
    session.put(orders, "o4", "again");
    assertThat(lines.family(session, "o4")).contains(new Family<>("again", Map.of()));
    assertThat(lines.child(session, "l4")).isEmpty();
  }

  @Test
  void aFamilyIsReplacedWhole() {
    lines.put(session, "o6", "Eve", Map.of("l6", "o6:pears", "l7", "o6:plums"));
    lines.put(session, "o6", "Eva", Map.of("l7", "o6:figs", "l8", "o6:dates"));
    assertThat(lines.family(session, "o6"))
        .contains(new Family<>("Eva", Map.of("l7", "o6:figs", "l8", "o6:dates")));
  }

  @Test
  void aChildMovesToAnotherParent() {
    lines.put(session, "o9", "Fay", Map.of("l9", "o9:pears"));
    lines.put(session, "o10", "Gil", Map.of("l10", "o10:plums"));
    lines.putChild(session, "l9", "o10:pears");
    assertThat(lines.family(session, "o9")).contains(new Family<>("Fay", Map.of()));
    assertThat(lines.family(session, "o10"))
        .contains(new Family<>("Gil", Map.of("l10", "o10:plums", "l9", "o10:pears")));
  }

  @Test
  void aChildThatIsPutWithAnotherFamilyLeavesItsOwn() {
    lines.put(session, "o11", "Hal", Map.of("l11", "o11:pears"));
    lines.put(session, "o12", "Ida", Map.of("l11", "o12:pears"));
    assertThat(lines.family(session, "o11")).contains(new Family<>("Hal", Map.of()));
    assertThat(lines.family(session, "o12"))
        .contains(new Family<>("Ida", Map.of("l11", "o12:pears")));
  }

  @Test
  void aChildWhoseParentIsGoneIsHidden() {
    session.put(orders, "o13", "Jim");
    lines.putChild(session, "l13", "o13:pears");
    // What is left when somebody deletes the parent beside the child's insert.
    session.write().delete(orders, "o13").commit();
    assertThat(lines.child(session, "l13")).isEmpty();
    assertThat(lines.family(session, "o13")).isEmpty();
  }

  @Test
  void aChildOfAnotherParentIsRefused() {
    assertThatThrownBy(() -> lines.put(session, "o14", "Kim", Map.of("l14", "o15:pears")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("child l14 names the parent o15, not o14");
  }

  @Test
  void aChildIsDeletedFromItsFamily() {
    lines.put(session, "o16", "Lea", Map.of("l16", "o16:pears"));
    lines.deleteChild(session, "l16");
    assertThat(lines.family(session, "o16")).contains(new Family<>("Lea", Map.of()));
  }

  @Test
  void aViewFollowsItsRows() {
    users.put(session, "u1", "fr Zoe");
    users.put(session, "u2", "fr Max");
    users.put(session, "u1", "it Zoe");
    assertThat(users.rows(session, "fr")).isEqualTo(Map.of("u2", "Max"));
    assertThat(users.copies(session, "it")).isEqualTo(Map.of("u1", "Zoe"));
    users.delete(session, "u2");
    assertThat(users.rows(session, "fr")).isEmpty();
    assertThat(users.get(session, "u1")).contains("it Zoe");
  }
}
