/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the program is: what the system property {@value #PROPERTY} names, else {@code
 * redis-server} on the PATH, else the one that the library embedded-redis carries, if it is on the
 * class path.
 */
final class RedisExecutable {
  static final String PROPERTY = "kasane.redis.server";
  private static final String PROGRAM = "redis-server";
  private static final String EMBEDDED_AMD64 = "/redis-server-6.2.6-v5-linux-amd64";
  private static final String EMBEDDED_ARM64 = "/redis-server-6.2.7-linux-arm64";

  private RedisExecutable() {}

  /**
   * Finds it.
   *
   * @param directory where an embedded one is unpacked
   */
  static Path find(Path directory) {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return Path.of(named);
    }
    return onPath()
        .or(() -> embedded(directory))
        .orElseThrow(
            () ->
                new EngineException(
                    Kind.FAILED,
                    "there is no program "
                        + PROGRAM
                        + " on the PATH: install Redis 6.2 or newer, or name it with -D"
                        + PROPERTY
                        + "=/path/to/"
                        + PROGRAM));
  }

  private static Optional<Path> onPath() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .filter(part -> !part.isEmpty())
        .map(part -> Path.of(part, PROGRAM))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Optional<Path> embedded(Path directory) {
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String resource = arch.contains("aarch64") ? EMBEDDED_ARM64 : EMBEDDED_AMD64;
    try (InputStream program = RedisExecutable.class.getResourceAsStream(resource)) {
      if (program == null) {
        return Optional.empty();
      }
      Path unpacked = Files.createDirectories(directory).resolve(PROGRAM);
      Path temporary = Files.createTempFile(directory, PROGRAM, "");
      Files.copy(program, temporary, StandardCopyOption.REPLACE_EXISTING);
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
      Files.move(temporary, unpacked, StandardCopyOption.ATOMIC_MOVE);
      return Optional.of(unpacked);
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, "cannot unpack " + PROGRAM + ": " + e, e);
    }
  }
}
