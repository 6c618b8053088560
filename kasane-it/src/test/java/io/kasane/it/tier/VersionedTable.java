/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.LocalNode;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** A table of rows that do not compress, each with the version written last. */
final class VersionedTable {
  static final int PAYLOAD_BYTES = 10_000;
  private static final Random RANDOM = new Random(1);

  final String name;
  private final LocalNode node;
  private final CqlSession session;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  VersionedTable(
      LocalNode node, CqlSession session, String name, String compressed, String compaction) {
    this.node = node;
    this.session = session;
    this.name = name;
    String qualified = Tiered.KEYSPACE + "." + name;
    session.execute(
        "CREATE TABLE "
            + qualified
            + " (id text PRIMARY KEY, version int, payload blob) WITH compaction = "
            + compaction
            + " AND compression = {'enabled': '"
            + compressed
            + "'"
            + (Boolean.parseBoolean(compressed) ? ", 'class': 'LZ4Compressor'" : "")
            + "}");
    insert =
        session.prepare("INSERT INTO " + qualified + " (id, version, payload) VALUES (?, ?, ?)");
    select = session.prepare("SELECT version, payload FROM " + qualified + " WHERE id = ?");
  }

  TableFiles files() {
    return new TableFiles(node, name).settled();
  }

  TableFiles.Keys keys() {
    return files().keys();
  }

  void write(int from, int to, int version) {
    write(from, to, version, PAYLOAD_BYTES);
  }

  void write(int from, int to, int version, int payloadBytes) {
    for (int i = from; i < to; i++) {
      byte[] payload = new byte[payloadBytes];
      RANDOM.nextBytes(payload);
      session.execute(insert.bind(key(i), version, ByteBuffer.wrap(payload)));
    }
  }

  /** Writes the version alone. */
  void update(int from, int to, int version) {
    IntStream.range(from, to).forEach(i -> update(key(i), version));
  }

  void update(String key, int version) {
    session.execute(
        "UPDATE " + Tiered.KEYSPACE + "." + name + " SET version = ? WHERE id = ?", version, key);
  }

  Set<String> someOfEachEighthOfTheRing(int count) {
    Map<Long, Integer> taken = new HashMap<>();
    Set<String> some = new HashSet<>();
    for (Row row :
        session.execute("SELECT id, token(id) AS position FROM " + Tiered.KEYSPACE + "." + name)) {
      if (taken.merge(row.getLong("position") >> 61, 1, Integer::sum) <= count) {
        some.add(row.getString("id"));
      }
    }
    return some;
  }

  void read(int from, int to, int times) {
    for (int i = from; i < to; i++) {
      for (int t = 0; t < times; t++) {
        assertThat(session.execute(select.bind(key(i))).one()).isNotNull();
      }
    }
  }

  void read(Set<String> keys) {
    keys.forEach(key -> assertThat(session.execute(select.bind(key)).one()).isNotNull());
  }

  /** Reads without warming anything: a full scan is not counted as access. */
  void requireVersions(int from, int to, int version) {
    Set<String> wanted = keys(from, to);
    int found = 0;
    for (Row row :
        session.execute("SELECT id, version, payload FROM " + Tiered.KEYSPACE + "." + name)) {
      if (wanted.contains(row.getString("id"))) {
        found++;
        assertThat(row.getInt("version")).as(row.getString("id")).isEqualTo(version);
        assertThat(row.getByteBuffer("payload").remaining()).isEqualTo(PAYLOAD_BYTES);
      }
    }
    assertThat(found).isEqualTo(to - from);
  }

  long count() {
    return session.execute("SELECT count(*) FROM " + Tiered.KEYSPACE + "." + name).one().getLong(0);
  }

  long hotKeys() {
    return session
        .execute(
            "SELECT hot_keys FROM kasane_views.tables WHERE keyspace_name = ? AND table_name = ?",
            Tiered.KEYSPACE,
            name)
        .one()
        .getLong("hot_keys");
  }

  /** Everything the table has on the fast disk, as du counts it. */
  long fastBytes() {
    return files().filesBelow(node.settings().fast()).stream()
        .mapToLong(file -> file.toFile().length())
        .sum();
  }

  static Set<String> keys(int from, int to) {
    Set<String> keys = new HashSet<>();
    IntStream.range(from, to).forEach(i -> keys.add(key(i)));
    return keys;
  }

  static String key(int i) {
    return "key " + i;
  }
}
