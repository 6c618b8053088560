/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/**
 * A database server that an operator runs, for an engine to keep its tables in.
 *
 * @param host its name or address
 * @param port where it listens
 * @param database which of its databases is this engine's alone
 * @param user who is to be told; empty for whom the server takes for granted
 * @param passwordFile a file that begins with the password's line; empty for none
 * @param isEncrypted whether by TLS, with the server's certificate verified
 * @param certificates a file of those that may have signed it, as PEM; empty for those that this
 *     Java trusts
 */
public record EngineServer(
    String host,
    int port,
    String database,
    Optional<String> user,
    Optional<Path> passwordFile,
    boolean isEncrypted,
    Optional<Path> certificates) {
  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

  /** Returns the password as it is in the file now; empty without a file. */
  public Optional<String> password() throws IOException {
    if (passwordFile.isEmpty()) {
      return Optional.empty();
    }
    Path file = passwordFile.get();
    if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
      throw new IOException("everybody may read or write " + file + ": chmod 600 " + file);
    }
    return Optional.of(Files.readString(file, UTF_8).lines().findFirst().orElse(""));
  }

  @Override
  public String toString() {
    return host + ":" + port + ", database " + database;
  }
}
