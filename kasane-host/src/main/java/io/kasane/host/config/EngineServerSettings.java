/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * An operator's server for one storage engine, as {@code kasane.yaml} names it.
 *
 * @param host its name or address
 * @param port where it listens; empty for where such servers do
 * @param database what of it is this node's alone
 * @param user empty for whom the server takes for granted
 * @param passwordFile what the password is in; empty for none
 * @param isEncrypted whether by TLS
 * @param certificates a file of those that may have signed the server's; empty for Java's own
 */
public record EngineServerSettings(
    String host,
    OptionalInt port,
    String database,
    Optional<String> user,
    Optional<Path> passwordFile,
    boolean isEncrypted,
    Optional<Path> certificates) {
  static final String ADDRESS = "address";
  static final String DATABASE = "database";
  static final String USER = "user";
  static final String PASSWORD_FILE = "password_file";
  static final String TLS = "tls";
  static final String CERTIFICATES = "certificates";
  static final Set<String> KNOWN =
      new TreeSet<>(Set.of(ADDRESS, DATABASE, USER, PASSWORD_FILE, TLS, CERTIFICATES));

  /** Hosts to which nobody listens. */
  static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");
}
