/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.version.Bytes;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** An index on a real node. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class IndexIT {
  private RampSession session;
  private SecondaryIndex<String, String, String> people;
  private RampCollection<String, Stamped<String>, Bytes> entries;

  @BeforeAll
  void open(RampSession opened) {
    session = opened;
    people =
        SecondaryIndex.open(
            session,
            RowTable.of("people", Codecs.text(), Codecs.text()),
            "people_by_city",
            Codecs.text(),
            city -> city.isEmpty() ? Set.of() : Set.of(city));
    entries =
        session.collection(
            "people_by_city", Codecs.text(), Stamped.codec(Codecs.text()), Codecs.blob());
  }

  @Test
  void aRowIsFoundWhereItWentAndNotWhereItWas() {
    people.put(session, "ada", "London");
    people.put(session, "ada", "Paris");
    assertThat(people.find(session, "London")).isEmpty();
    assertThat(people.find(session, "Paris")).containsExactly(Map.entry("ada", "Paris"));
  }

  @Test
  void aDeletedRowIsNotFound() {
    people.put(session, "bob", "Berlin");
    people.delete(session, "bob");
    assertThat(people.find(session, "Berlin")).isEmpty();
    assertThat(people.get(session, "bob")).isEmpty();
  }

  @Test
  void aRowWithoutValuesIsFoundByItsKeyOnly() {
    people.put(session, "eve", "Rome");
    people.put(session, "eve", "");
    assertThat(people.find(session, "Rome")).isEmpty();
    assertThat(people.get(session, "eve")).contains("");
  }

  @Test
  void anEntryLeftBehindByAPutAtTheSameTimeIsNotReturnedAndCleaned() {
    people.put(session, "cyd", "Oslo");
    bothReadBeforeEitherWrites("cyd", "Turin", "Vienna");
    assertThat(session.items(entries, "Turin")).hasSize(1);

    assertThat(people.find(session, "Turin")).isEmpty();
    assertThat(people.find(session, "Vienna")).containsOnlyKeys("cyd");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(session.items(entries, "Turin")).isEmpty());
  }

  @Test
  void cleaningHitsNoEntryThatIsWrittenMeanwhile() {
    Entries<String, String, String, Bytes> rows =
        Entries.open(
            session,
            RowTable.of("movers", Codecs.text(), Codecs.text()),
            "movers_by_city",
            Codecs.text(),
            Codecs.blob(),
            (key, city) -> Map.of(city, Bytes.EMPTY));
    RampRows seen = rows.want(session.read(), List.of("dan")).run();
    RampTransaction first = session.write();
    rows.put(rows.old(seen, "dan"), first, "dan", "Malmo");
    first.commit();
    RampTransaction second = session.write();
    rows.put(rows.old(seen, "dan"), second, "dan", "Basel");
    second.commit();
    Set<String> malmo = Set.of("Malmo");
    LookUp.Found<String, String, String, Bytes> found =
        session.readTransaction(
            reader -> rows.find(session, reader, session.read(), malmo, new HashSet<>()));
    assertThat(found.stale()).hasSize(1);

    session.readModifyWrite(
        rows.want(session.read(), List.of("dan")),
        (now, into) -> rows.put(rows.old(now, "dan"), into, "dan", "Malmo"));
    rows.clean(session, found.stale());

    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(rows.listed(session, "Malmo")).hasSize(1));
    assertThat(rows.find(session, malmo).get("Malmo")).containsOnlyKeys("dan");
  }

  @Test
  void valuesAreLookedUpTogether() {
    people.put(session, Map.of("fay", "Lima", "gil", "Quito", "hal", "Lima"));
    assertThat(people.findAll(session, Set.of("Lima", "Quito", "Nowhere")))
        .isEqualTo(
            Map.of(
                "Lima", Map.of("fay", "Lima", "hal", "Lima"),
                "Quito", Map.of("gil", "Quito"),
                "Nowhere", Map.of()));
  }

  @Test
  void aRowAndSomethingElseAreOneTransaction() {
    Map<String, String> both = new HashMap<>(Map.of("ida", "Kyoto", "jim", "Kyoto"));
    session.readModifyWrite(
        people.want(session.read(), both.keySet()),
        (seen, into) -> both.forEach((key, city) -> people.put(seen, into, key, city)));
    Map<String, String> found =
        session.readTransaction(reader -> people.find(session, reader, "Kyoto"));
    assertThat(found).isEqualTo(both);
  }

  private void bothReadBeforeEitherWrites(String key, String one, String other) {
    RampRows seen = people.want(session.read(), List.of(key)).run();
    RampTransaction first = session.write();
    people.put(seen, first, key, one);
    RampTransaction second = session.write();
    people.put(seen, second, key, other);
    first.commit();
    second.commit();
  }
}
