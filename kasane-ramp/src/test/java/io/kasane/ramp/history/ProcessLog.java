/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import io.kasane.ramp.version.Timestamp;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@link HistoryWriter} logged, line by line; a torn last line is left out. */
final class ProcessLog {
  /** Takes the events in their order. */
  interface Visitor {
    /** A put is about to be sent. */
    default void begun(
        long transaction, long session, long nanos, List<Long> written, List<Long> deleted)
        throws IOException {}

    /** A put is done. */
    default void acknowledged(long transaction, long nanos, Timestamp timestamp)
        throws IOException {}

    /** A put failed and is not retried. */
    default void failed(long transaction) {}

    /** Nobody knows whether a put is done. */
    default void unknown(long transaction, Timestamp timestamp) {}

    /** A read is done. */
    default void read(long transaction, long session, List<KeyRead> reads, boolean atRest)
        throws IOException {}
  }

  private ProcessLog() {}

  static void visit(Path path, Visitor visitor) throws IOException {
    boolean torn = isTorn(path);
    try (var reader = Files.newBufferedReader(path, StandardCharsets.US_ASCII)) {
      String line = reader.readLine();
      while (line != null) {
        String next = reader.readLine();
        if (next != null || !torn) {
          visitLine(path, line, visitor);
        }
        line = next;
      }
    }
  }

  private static boolean isTorn(Path path) throws IOException {
    try (var file = new RandomAccessFile(path.toFile(), "r")) {
      if (file.length() == 0) {
        return false;
      }
      file.seek(file.length() - 1);
      return file.read() != '\n';
    }
  }

  private static void visitLine(Path path, String line, Visitor visitor) throws IOException {
    Fields fields = new Fields(line);
    try {
      switch (line.charAt(0)) {
        case 'b' -> visitBegin(fields, visitor);
        case 'a' -> visitor.acknowledged(fields.number(), fields.number(), fields.timestamp());
        case 'f' -> visitor.failed(fields.number());
        case 'u' -> visitor.unknown(fields.number(), fields.timestamp());
        case 'r', 'q' -> visitReads(fields, visitor, line.charAt(0) == 'q');
        default -> throw new IllegalArgumentException("no such event");
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(path + " holds \"" + line + "\", which is no event", e);
    }
  }

  private static void visitBegin(Fields fields, Visitor visitor) throws IOException {
    long transaction = fields.number();
    long session = fields.number();
    long nanos = fields.number();
    List<Long> written = new ArrayList<>();
    List<Long> deleted = new ArrayList<>();
    while (fields.hasMore()) {
      (fields.flag() == 'd' ? deleted : written).add(fields.number());
    }
    visitor.begun(transaction, session, nanos, written, deleted);
  }

  private static void visitReads(Fields fields, Visitor visitor, boolean atRest)
      throws IOException {
    long transaction = fields.number();
    long session = fields.number();
    List<KeyRead> reads = new ArrayList<>();
    while (fields.hasMore()) {
      reads.add(new KeyRead(fields.number(), fields.number(), fields.timestamp()));
    }
    visitor.read(transaction, session, reads, atRest);
  }

  /** Walks over the numbers of a line, which blanks part. */
  private static final class Fields {
    private final String line;
    private int position = 2;

    Fields(String line) {
      this.line = line;
    }

    boolean hasMore() {
      return position < line.length();
    }

    char flag() {
      return line.charAt(position++);
    }

    long number() {
      int blank = line.indexOf(' ', position);
      int end = blank < 0 ? line.length() : blank;
      long number = Long.parseLong(line, position, end, 10);
      position = end + 1;
      return number;
    }

    Timestamp timestamp() {
      return new Timestamp(number(), number());
    }
  }
}
