/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.arena.ArenaToken;
import io.kasane.arena.ArenaWriter;
import io.kasane.host.config.ArenaSettings;
import io.kasane.host.refuse.HostException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory of a node's arenas, and who may read them. */
final class ArenaFiles {
  private static final Logger logger = LoggerFactory.getLogger(ArenaFiles.class);
  private static final String END = ".arena";
  private static final Set<PosixFilePermission> OWNERS = permissions("rw-------");
  private static final Set<PosixFilePermission> GROUPS = permissions("rw-r-----");
  private static final Set<PosixFilePermission> OWNERS_DIRECTORY = permissions("rwx------");
  private static final Set<PosixFilePermission> GROUPS_DIRECTORY = permissions("rwxr-x---");

  private final ArenaSettings settings;
  private final Optional<GroupPrincipal> group;

  private ArenaFiles(ArenaSettings settings, Optional<GroupPrincipal> group) {
    this.settings = settings;
    this.group = group;
  }

  private static Set<PosixFilePermission> permissions(String text) {
    return Set.copyOf(PosixFilePermissions.fromString(text));
  }

  /** Makes the directory readable for whom the settings name, and for nobody else. */
  static ArenaFiles open(ArenaSettings settings) throws IOException {
    Path directory = settings.directory();
    Optional<GroupPrincipal> group = Optional.empty();
    if (settings.group().isPresent()) {
      group = Optional.of(group(directory, settings.group().get()));
      setGroup(directory, group.get());
    }
    Files.setPosixFilePermissions(
        directory, group.isPresent() ? GROUPS_DIRECTORY : OWNERS_DIRECTORY);
    String type = Files.getFileStore(directory).type();
    if (!type.equals("tmpfs")) {
      logger.warn(
          "arenas.directory {} is on a file system of type {}: what is written there goes to a"
              + " disk, too. Name one on tmpfs, such as below /dev/shm",
          directory,
          type);
    }
    return new ArenaFiles(settings, group);
  }

  private static GroupPrincipal group(Path directory, String name) throws IOException {
    try {
      return directory
          .getFileSystem()
          .getUserPrincipalLookupService()
          .lookupPrincipalByGroupName(name);
    } catch (UserPrincipalNotFoundException e) {
      throw new HostException(
          "kasane.yaml: arenas.group is "
              + name
              + ", and there is no such group; name one of the node's user, or leave it out for"
              + " that user alone",
          e);
    }
  }

  private static void setGroup(Path file, GroupPrincipal group) throws IOException {
    Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setGroup(group);
  }

  /** Makes the arena of a table. */
  ArenaWriter create(TableMetadata table, long bytes) throws IOException {
    Path file = file(table);
    ArenaWriter writer =
        ArenaWriter.create(file, table.id.asUUID(), settings.slotBytes(), bytes, OWNERS);
    try {
      if (group.isPresent()) {
        setGroup(file, group.get());
        Files.setPosixFilePermissions(file, GROUPS);
      }
      return writer;
    } catch (IOException e) {
      writer.close();
      throw e;
    }
  }

  /**
   * Makes a new key of tokens, for the process that serves arenas: tokens of before end with it.
   */
  byte[] createTokenKey() throws IOException {
    byte[] key = new byte[ArenaToken.KEY_BYTES];
    new SecureRandom().nextBytes(key);
    Path file = settings.directory().resolve(ArenaToken.KEY_FILE);
    Path fresh = file.resolveSibling(ArenaToken.KEY_FILE + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNERS));
    Files.write(fresh, key);
    if (group.isPresent()) {
      setGroup(fresh, group.get());
      Files.setPosixFilePermissions(fresh, GROUPS);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return key;
  }

  Path file(TableMetadata table) {
    return settings.directory().resolve(table.keyspace + "." + table.name + END);
  }

  /** Takes away what a process before this one has left of tables that have no arena any more. */
  void deleteOthers() throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(settings.directory(), "*" + END)) {
      for (Path file : all) {
        String name = file.getFileName().toString();
        if (!settings.tables().containsKey(name.substring(0, name.length() - END.length()))) {
          ArenaWriter.discard(file);
        }
      }
    }
  }

  @Override
  public String toString() {
    return settings.directory().toString();
  }
}
