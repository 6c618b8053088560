/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.login;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What cqlsh's own two files say: {@code cqlshrc} where and how to connect, {@code credentials} as
 * whom. Names and meanings are those of cqlsh 5.0.
 */
final class CqlshFiles {
  private static final String AUTH_PROVIDER = "auth_provider";
  private static final String AUTHENTICATION = "authentication";
  private static final String PLAIN_TEXT = "PlainTextAuthProvider";
  private static final String PLAIN_TEXT_OF_OLD = "plain_text_auth";
  private static final String USERNAME = "username";
  private static final String PASSWORD = "password";
  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final IniFile cqlshrc;
  private final IniFile credentials;

  CqlshFiles(IniFile cqlshrc, IniFile credentials) {
    this.cqlshrc = cqlshrc;
    this.credentials = credentials;
  }

  /**
   * Reads the files that are named, and else those in their usual places that are there.
   *
   * @param home the user's home directory
   */
  static CqlshFiles read(Optional<Path> cqlshrc, Optional<Path> credentials, Path home) {
    Path usual = home.resolve(".cassandra");
    IniFile rc = cqlshrc.map(IniFile::read).orElseGet(() -> ifThere(usual.resolve("cqlshrc")));
    requirePlainText(rc);
    Optional<Path> named =
        credentials.or(() -> rc.get(AUTHENTICATION, "credentials").map(path -> expand(path, home)));
    Path secret = named.orElse(usual.resolve("credentials"));
    if (named.isPresent() || Files.isRegularFile(secret)) {
      requirePrivate(secret);
      return new CqlshFiles(rc, IniFile.read(secret));
    }
    return new CqlshFiles(rc, IniFile.empty());
  }

  private static IniFile ifThere(Path file) {
    return Files.isRegularFile(file) ? IniFile.read(file) : IniFile.empty();
  }

  private static void requirePlainText(IniFile rc) {
    rc.get(AUTH_PROVIDER, "classname")
        .filter(name -> !name.equals(PLAIN_TEXT))
        .ifPresent(
            name -> {
              throw new NodeException(
                  "cqlshrc: [auth_provider] classname is '"
                      + name
                      + "', but only "
                      + PLAIN_TEXT
                      + " is known here; name another file with --cqlshrc, or, where the command"
                      + " has it, a configuration of the driver with --driver-config");
            });
  }

  /** As cqlsh does, and as ssh does with keys. */
  static void requirePrivate(Path file) {
    try {
      if (Files.getFileStore(file).supportsFileAttributeView("posix")
          && Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
        throw new NodeException(
            file + " has a password, and others may read or write it: chmod 600 " + file);
      }
    } catch (IOException e) {
      throw new NodeException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  Optional<String> host() {
    return cqlshrc.get("connection", "hostname");
  }

  Optional<Integer> port() {
    return cqlshrc.get("connection", "port").map(text -> number("[connection] port", text));
  }

  private static int number(String setting, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new NodeException(
          "cqlshrc: " + setting + " is '" + text + "' but must be a whole number; correct it", e);
    }
  }

  boolean tls() {
    return cqlshrc.get("connection", "ssl").map(CqlshFiles::isYes).orElse(false);
  }

  /** Whether the server's certificate is looked at: cqlsh's default. */
  boolean validatesTls() {
    return cqlshrc.get("ssl", "validate").map(CqlshFiles::isYes).orElse(true);
  }

  /** Certificates to trust: those of one host, else those of all. */
  Optional<Path> tlsAuthority(String host, Path home) {
    return cqlshrc
        .get("certfiles", host)
        .or(() -> cqlshrc.get("ssl", "certfile"))
        .map(path -> expand(path, home));
  }

  Optional<Path> tlsCertificate(Path home) {
    return cqlshrc.get("ssl", "usercert").map(path -> expand(path, home));
  }

  Optional<Path> tlsKey(Path home) {
    return cqlshrc.get("ssl", "userkey").map(path -> expand(path, home));
  }

  Optional<String> username() {
    return credentials
        .get(PLAIN_TEXT, USERNAME)
        .or(() -> credentials.get(PLAIN_TEXT_OF_OLD, USERNAME))
        .or(() -> cqlshrc.get(AUTH_PROVIDER, USERNAME))
        .or(() -> cqlshrc.get(AUTHENTICATION, USERNAME));
  }

  /** The password of the user that the files name; of another user they say nothing. */
  Optional<String> passwordOf(String username) {
    if (!username().map(username::equals).orElse(false)) {
      return Optional.empty();
    }
    return credentials
        .get(PLAIN_TEXT, PASSWORD)
        .or(() -> credentials.get(PLAIN_TEXT_OF_OLD, PASSWORD))
        .or(() -> cqlshrc.get(AUTHENTICATION, PASSWORD));
  }

  private static boolean isYes(String text) {
    return Set.of("1", "yes", "true", "on").contains(text.toLowerCase(Locale.ROOT));
  }

  private static Path expand(String path, Path home) {
    return path.startsWith("~/") ? home.resolve(path.substring(2)) : Path.of(path);
  }
}
