/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.cql.use.Check;
import io.kasane.ramp.cql.use.Family;
import io.kasane.ramp.cql.use.ForeignKey;
import io.kasane.ramp.cql.use.MaterialisedView;
import io.kasane.ramp.cql.use.RowTable;
import io.kasane.ramp.cql.use.SecondaryIndex;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An index, a foreign key and a view, as an application's unit tests have them. */
class UsesOnMemoryTest {
  private final RampSession session = RampSession.over(new MemoryVersionStore());

  @AfterEach
  void close() {
    session.close();
  }

  private SecondaryIndex<String, String, String> people() {
    return SecondaryIndex.open(
        session,
        RowTable.of("people", Codecs.text(), Codecs.text()),
        "people_by_city",
        Codecs.text(),
        Set::of);
  }

  private static <T> T done(CompletionStage<T> stage) {
    assertThat(stage.toCompletableFuture()).isDone();
    return stage.toCompletableFuture().join();
  }

  @Test
  void anIndexFindsRowsWhereTheyAre() {
    SecondaryIndex<String, String, String> people = people();
    people.put(session, Map.of("ada", "London", "bob", "Paris"));
    people.put(session, "ada", "Paris");
    people.delete(session, "bob");
    assertThat(people.findAll(session, Set.of("London", "Paris")))
        .isEqualTo(Map.of("London", Map.of(), "Paris", Map.of("ada", "Paris")));
    assertThat(people.get(session, "bob")).isEmpty();
    assertThat(people.verify(session)).isEqualTo(new Check(1, 0, 0, 0));
  }

  @Test
  void seededRowsAreFoundOnceTheIndexIsRebuilt() {
    SecondaryIndex<String, String, String> people = people();
    people.put(session, "ada", "London");
    session.seed(List.of(people.seed("ada", "Paris"), people.seed("bob", "Paris")), 7);
    assertThat(people.find(session, "Paris")).isEmpty();
    assertThat(people.rebuild(session)).isEqualTo(new Check(2, 1, 0, 0));
    assertThat(people.find(session, "Paris")).isEqualTo(Map.of("bob", "Paris"));

    session.seed(List.of(people.seed("bob", "Paris")), 8);
    assertThat(people.find(session, "Paris")).containsOnlyKeys("bob");
    people.put(session, "bob", "Rome");
    assertThat(people.find(session, "Paris")).isEmpty();
    assertThat(people.verify(session)).isEqualTo(new Check(2, 0, 0, 0));
  }

  @Test
  void twinsAreDoneAtOnce() {
    SecondaryIndex<String, String, String> people = people();
    done(people.putAsync(session, "ada", "London"));
    assertThat(done(people.findAsync(session, "London"))).containsOnlyKeys("ada");
    assertThat(done(people.getAsync(session, "ada"))).contains("London");
  }

  @Test
  void anEntryLeftBehindIsNotReturnedAndCleaned() {
    SecondaryIndex<String, String, String> people = people();
    RampRows seen = people.want(session.read(), List.of("cyd")).run();
    RampTransaction first = session.write();
    people.put(seen, first, "cyd", "Turin");
    RampTransaction second = session.write();
    people.put(seen, second, "cyd", "Vienna");
    first.commit();
    second.commit();
    assertThat(people.verify(session)).isEqualTo(new Check(1, 0, 1, 0));

    assertThat(people.find(session, "Turin")).isEmpty();
    assertThat(people.verify(session)).isEqualTo(new Check(1, 0, 0, 0));
  }

  @Test
  void aForeignKeyKeepsFamiliesWhole() {
    RampTable<String, String> orders = session.table("orders", Codecs.text(), Codecs.text());
    ForeignKey<String, String, String, String> lines =
        ForeignKey.open(
            session,
            orders,
            RowTable.of("lines", Codecs.text(), Codecs.text()),
            "lines_of_orders",
            line -> line.substring(0, line.indexOf(':')));
    lines.put(session, "o1", "Ada", Map.of("l1", "o1:figs", "l2", "o1:dates"));
    lines.put(session, "o1", "Ada", Map.of("l2", "o1:pears"));
    assertThat(lines.putChild(session, "l3", "nobody:plums")).isEmpty();
    assertThat(lines.family(session, "o1")).contains(new Family<>("Ada", Map.of("l2", "o1:pears")));
    lines.delete(session, "o1");
    assertThat(lines.child(session, "l2")).isEmpty();
  }

  @Test
  void aViewFollowsItsRows() {
    MaterialisedView<String, String, String, String> users =
        MaterialisedView.open(
            session,
            RowTable.of("users", Codecs.text(), Codecs.text()),
            "names_by_country",
            Codecs.text(),
            Codecs.text(),
            (id, user) -> Map.of(user.substring(0, 2), user.substring(3)));
    users.put(session, "u1", "fr Zoe");
    users.put(session, "u1", "it Zoe");
    assertThat(users.rows(session, "fr")).isEmpty();
    assertThat(users.copies(session, "it")).isEqualTo(Map.of("u1", "Zoe"));
  }
}
