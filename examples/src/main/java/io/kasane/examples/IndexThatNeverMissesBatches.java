/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.List;
import java.util.random.RandomGenerator;

/** {@link IndexThatNeverMisses} with plain tables. */
final class IndexThatNeverMissesBatches implements Contest {
  private final PlainCql cql;
  private final PreparedStatement put;
  private final PreparedStatement addEntry;
  private final PreparedStatement deleteEntry;
  private final PreparedStatement find;

  IndexThatNeverMissesBatches(CqlSession session) {
    cql = new PlainCql(session);
    cql.table("plain_people", "id int PRIMARY KEY, city text");
    cql.table("plain_people_by_city", "city text, id int, PRIMARY KEY (city, id)");
    put = cql.prepare("INSERT INTO %s.plain_people (id, city) VALUES (?, ?)");
    addEntry = cql.prepare("INSERT INTO %s.plain_people_by_city (city, id) VALUES (?, ?)");
    deleteEntry = cql.prepare("DELETE FROM %s.plain_people_by_city WHERE city = ? AND id = ?");
    find = cql.prepare("SELECT id FROM %s.plain_people_by_city WHERE city = ?");
    for (int person = 0; person < IndexThatNeverMisses.PEOPLE; person++) {
      move(person, IndexThatNeverMisses.CITIES.get(0));
    }
  }

  /** There are two cities, so who goes to one leaves the other. */
  private void move(int person, String city) {
    List<String> cities = IndexThatNeverMisses.CITIES;
    String other = cities.get(1 - cities.indexOf(city));
    cql.batch(put.bind(person, city), addEntry.bind(city, person), deleteEntry.bind(other, person));
  }

  @Override
  public void write(int writer, RandomGenerator random) {
    List<String> cities = IndexThatNeverMisses.CITIES;
    move(IndexThatNeverMisses.person(writer, random), cities.get(random.nextInt(cities.size())));
  }

  @Override
  public boolean readsWhole(RandomGenerator random) {
    int person = random.nextInt(IndexThatNeverMisses.PEOPLE);
    List<String> cities = IndexThatNeverMisses.CITIES;
    var rows = cql.select(find.bind(cities.get(0)), find.bind(cities.get(1)));
    return rows.stream().flatMap(List::stream).filter(row -> row.getInt("id") == person).count()
        == 1;
  }
}
