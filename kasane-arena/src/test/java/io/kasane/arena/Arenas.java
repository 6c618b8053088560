/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/** What tests of arenas share. */
final class Arenas {
  static final UUID TABLE = new UUID(1, 2);
  static final int SLOT_BYTES = 256;

  private Arenas() {}

  static ArenaWriter create(Path file, long bytes) throws IOException {
    return ArenaWriter.create(
        file, TABLE, SLOT_BYTES, bytes, PosixFilePermissions.fromString("rw-r-----"));
  }

  /** An arena that has so many sets. */
  static ArenaWriter withSets(Path file, int sets) throws IOException {
    return create(file, new ArenaLayout(TABLE, SLOT_BYTES, sets).fileBytes());
  }

  static ArenaKey key(String name) {
    return ArenaKey.of(ByteBuffer.wrap(name.getBytes(UTF_8)), ByteBuffer.allocate(0));
  }

  static ByteBuffer body(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  static String text(ArenaReader.Answer answer) {
    return answer.body() == null ? answer.outcome().name() : UTF_8.decode(answer.body()).toString();
  }

  static boolean fill(ArenaWriter writer, String key, long micros, String body) {
    return writer.fill(
        key(key), 0, new ArenaVersion(micros, 0, body(body)), writer.ticket(key(key)));
  }

  /** Lets a reader see that the writer lives. */
  static ArenaReader awake(ArenaWriter writer, ArenaReader reader) {
    writer.beat();
    reader.look();
    writer.beat();
    reader.look();
    return reader;
  }
}
