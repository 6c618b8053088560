/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.use.RowTable;
import io.kasane.ramp.cql.use.SecondaryIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * People and the cities they live in, found by city. All people move between the two cities all the
 * time, and a reader who lists both cities expects each of them once.
 */
public final class IndexThatNeverMisses extends Example {
  static final int PEOPLE = 20;
  static final List<String> CITIES = List.of("Kyoto", "Osaka");

  /** Runs it. */
  public static void main(String[] args) {
    run(new IndexThatNeverMisses(), args);
  }

  @Override
  String what() {
    return "People move between two cities; readers list both and expect everybody once.";
  }

  @Override
  Contest transactions(RampSession session) {
    return new Index(session);
  }

  @Override
  Contest batches(CqlSession cql) {
    return new IndexThatNeverMissesBatches(cql);
  }

  /** Of the people that this writer moves. */
  static int person(int writer, RandomGenerator random) {
    return random.nextInt(PEOPLE / Race.WRITERS) * Race.WRITERS + writer;
  }

  private static final class Index implements Contest {
    private final RampSession session;
    private final SecondaryIndex<Integer, String, String> people;

    Index(RampSession session) {
      this.session = session;
      this.people =
          SecondaryIndex.open(
              session,
              RowTable.of("people", Codecs.int32(), Codecs.text()),
              "people_by_city",
              Codecs.text(),
              Set::of);
      Map<Integer, String> all = new HashMap<>();
      for (int person = 0; person < PEOPLE; person++) {
        all.put(person, CITIES.get(0));
      }
      people.put(session, all);
    }

    @Override
    public void write(int writer, RandomGenerator random) {
      people.put(session, person(writer, random), CITIES.get(random.nextInt(CITIES.size())));
    }

    @Override
    public boolean readsWhole(RandomGenerator random) {
      Map<String, Map<Integer, String>> listed = people.findAll(session, Set.copyOf(CITIES));
      int person = random.nextInt(PEOPLE);
      return listed.values().stream().filter(city -> city.containsKey(person)).count() == 1;
    }
  }
}
