/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * What a database of an operator's server bears from when it was empty, and one directory of one
 * node has: two nodes that were given the same database would delete each other's rows.
 */
public final class OwnerMark {
  private static final String FILE = "owner";

  private OwnerMark() {}

  /** Returns the mark of a directory, made when it is first asked for. */
  public static String of(Path directory) throws IOException {
    Path file = Files.createDirectories(directory).resolve(FILE);
    try {
      return UUID.fromString(Files.readString(file, UTF_8).strip()).toString();
    } catch (NoSuchFileException e) {
      String mark = UUID.randomUUID().toString();
      Path temporary = directory.resolve(FILE + ".tmp");
      Files.writeString(
          temporary,
          mark + System.lineSeparator(),
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
      Files.move(temporary, file);
      try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ)) {
        entry.force(true); // without it nothing would say whose the database is
      }
      return mark;
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not what Kasane wrote there", e);
    }
  }

  /**
   * Refuses a database that is another's.
   *
   * @param found what it bears; null if nothing
   * @param hasOthers whether there is something in it
   */
  public static void require(String database, String own, String found, boolean hasOthers)
      throws IOException {
    if (found == null && hasOthers) {
      throw new IOException(
          database + " has what Kasane did not put there. Give this node an empty database");
    }
    if (found != null && !found.equals(own)) {
      throw new IOException(
          database
              + " belongs to the node whose mark is "
              + found
              + ", and this one has "
              + own
              + ". Give each node a database of its own; if this is that node after its directory"
              + " was lost, replace it as a node whose disk was lost, with an empty database");
    }
  }
}
