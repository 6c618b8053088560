/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import java.util.List;
import java.util.SplittableRandom;

/** CQL on rows whose keys are hard to tell apart, or to take for the same. */
final class OddRows {
  private static final List<String> FLOATS =
      List.of(
          "NaN",
          "blob_as_float(0x7fc00001)",
          "blob_as_float(0xffc00000)",
          "blob_as_float(0x)",
          "-0.0",
          "0.0",
          "-Infinity",
          "Infinity",
          "1.5");
  private static final List<String> PAIRS =
      List.of(
          "(1, 'a')",
          "(1, '')",
          "(1, null)",
          "(null, 'a')",
          "(blob_as_int(0x), 'a')",
          "(blob_as_int(0x), null)");
  private static final List<String> INTEGERS =
      List.of("1", "-1", "blob_as_varint(0x00000000000000000001)", "blob_as_varint(0x)");

  /** Cassandra itself cannot flush an index whose keys have a NaN with a sign. */
  private static final List<String> DOUBLES =
      List.of("NaN", "blob_as_double(0x7ff8000000000001)", "-0.0", "0.0", "2.5");

  /** Cassandra's own index finds a NaN of other bits or not, as it was flushed. */
  private static final List<String> ASKED_BY_INDEX = List.of("-0.0", "0.0", "2.5");

  private static final int PARTITIONS = 3;

  private final SplittableRandom random;

  OddRows(SplittableRandom random) {
    this.random = random;
  }

  /** A write at a time, in microseconds. */
  String write(long micros) {
    String at = " USING TIMESTAMP " + micros;
    String values = "%d, %s".formatted(random.nextInt(100), from(DOUBLES));
    return switch (random.nextInt(9)) {
      case 0 -> "DELETE FROM ODDS" + at + partition() + " AND f = " + f();
      case 1 -> "DELETE FROM ODDS" + at + partition() + " AND f >= " + f();
      case 2 -> "DELETE FROM ODDS" + at + row();
      case 3 -> "UPDATE ODDS" + at + " SET v = " + random.nextInt(100) + row();
      default ->
          "INSERT INTO ODDS (id, f, p, i, v, w) VALUES (%d, %s, %s, %s, %s)"
                  .formatted(id(), f(), p(), i(), values)
              + at;
    };
  }

  /** A read. */
  String query(boolean isIndexAsked) {
    String all = "SELECT id, f, p, i, v, w FROM ODDS";
    return switch (random.nextInt(6)) {
      case 0 -> all + partition();
      case 1 -> all + row();
      case 2 -> all + partition() + " AND f > " + f() + " ORDER BY f DESC, p ASC, i DESC";
      case 3 -> all + partition() + " AND f = " + f() + " AND p <= " + p();
      case 4 -> isIndexAsked ? all + " WHERE w = " + from(ASKED_BY_INDEX) : all;
      default -> all + partition() + " AND f IN (" + f() + ", " + f() + ")";
    };
  }

  private String partition() {
    return " WHERE id = " + id();
  }

  private String row() {
    return partition() + " AND f = " + f() + " AND p = " + p() + " AND i = " + i();
  }

  private int id() {
    return random.nextInt(PARTITIONS);
  }

  private String f() {
    return from(FLOATS);
  }

  private String p() {
    return from(PAIRS);
  }

  private String i() {
    return from(INTEGERS);
  }

  private String from(List<String> all) {
    return all.get(random.nextInt(all.size()));
  }
}
