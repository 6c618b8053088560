/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static io.kasane.ramp.cql.schema.TableLayout.BODY;

import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.StoreException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.CorruptVersionException;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Rows read as versions. Damaged bytes never pass for a version, nor for the lack of one. */
final class Bodies {
  private Bodies() {}

  /** Of one key that is no item. */
  static Answer committed(List<Row> rows) {
    return rows.isEmpty() ? new Answer.Absent() : committed(rows.get(0));
  }

  /** Of one key, asked for in several questions, each of which shows what is committed. */
  static Candidates together(List<Candidates> parts) {
    Answer committed =
        parts.stream().map(Candidates::committed).reduce(Bodies::newer).orElseThrow();
    Map<Timestamp, Version> prepared = new HashMap<>();
    parts.forEach(part -> prepared.putAll(part.prepared()));
    return new Candidates(committed, prepared);
  }

  private static Answer newer(Answer one, Answer other) {
    if (one instanceof Answer.Miss || other instanceof Answer.Miss) {
      return new Answer.Miss();
    }
    return other.marker().isAfter(one.marker()) ? other : one;
  }

  /** At or above the newest of these times, whoever's version it is. */
  static Timestamp newest(List<Row> times) {
    return times.stream()
        .filter(row -> !row.isNull(0))
        .map(row -> new Timestamp(row.getLong(0), -1))
        .reduce(Timestamp.NONE, Timestamp::max);
  }

  /** By partition, of those that have a row. */
  static Map<Bytes, Answer> committedByPartition(List<Row> rows) {
    Map<Bytes, Answer> answers = new HashMap<>();
    for (Row row : rows) {
      answers.put(Bytes.copyOf(row.getByteBuffer(TableLayout.PARTITION)), committed(row));
    }
    return answers;
  }

  private static Answer committed(Row row) {
    ByteBuffer body = row.getByteBuffer(BODY);
    if (body == null) {
      return new Answer.Absent();
    }
    try {
      return new Answer.Present(VersionCodec.decode(body));
    } catch (CorruptVersionException e) {
      return new Answer.Miss();
    }
  }

  /**
   * Of one key: the newest of what is committed and what was deleted, and what is prepared.
   *
   * @param first the first generation that counts
   */
  static Candidates candidates(ItemKey key, List<Row> rows, int first) {
    Answer committed = new Answer.Absent();
    Map<Timestamp, Version> prepared = new HashMap<>();
    Map<Timestamp, CorruptVersionException> damaged = new HashMap<>();
    for (Row row : rows) {
      ByteBuffer body = row.getByteBuffer(BODY);
      int kind = row.getInt(TableLayout.KIND);
      if (kind == TableLayout.DELETED || (kind >= first && kind != TableLayout.GENERATIONS)) {
        committed = newer(committed, committed(row));
      } else if (kind == TableLayout.PREPARED && body != null) {
        Timestamp timestamp = Timestamp.read(row.getByteBuffer(TableLayout.VERSION));
        try {
          prepared.put(timestamp, decode(body, timestamp));
        } catch (CorruptVersionException e) {
          damaged.put(timestamp, e);
        }
      }
    }
    requireOverwritten(key, damaged, committed);
    return new Candidates(committed, prepared);
  }

  /** What rows of a collection say of where its items are. */
  static Generations generations(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.getInt(TableLayout.KIND) == TableLayout.GENERATIONS)
        .map(row -> row.getByteBuffer(BODY))
        .filter(Objects::nonNull)
        .map(Generations::decode)
        .findFirst()
        .orElse(Generations.NONE);
  }

  private static Version decode(ByteBuffer body, Timestamp expected) {
    Version version = VersionCodec.decode(body);
    if (!version.timestamp().equals(expected)) {
      throw new CorruptVersionException(
          "the version under " + expected + " says it is " + version.timestamp());
    }
    return version;
  }

  /** Left out where what is committed takes its place anyway; else it would pass for unwritten. */
  private static void requireOverwritten(
      ItemKey key, Map<Timestamp, CorruptVersionException> damaged, Answer committed) {
    damaged.forEach(
        (timestamp, why) -> {
          if (timestamp.isAfter(committed.marker())) {
            throw damaged(key, why);
          }
        });
  }

  /** Left out it would be a lost item that nobody misses. */
  static Version item(ItemKey key, ByteBuffer body) {
    try {
      return VersionCodec.decode(body);
    } catch (CorruptVersionException e) {
      throw damaged(key, e);
    }
  }

  static StoreException damaged(ItemKey key, String why) {
    return damaged(key, new CorruptVersionException(why));
  }

  private static StoreException damaged(ItemKey key, CorruptVersionException why) {
    return new StoreException(
        "The bytes of "
            + key
            + " are damaged: "
            + why.getMessage()
            + ". Write it again, or scrub and repair the table.",
        why);
  }
}
