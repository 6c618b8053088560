/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.login;

import io.kasane.node.NodeException;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Passwords: of a file, of the environment, or typed; never of the command line. */
public final class Secrets {
  /** The environment's variable with the user's password. */
  static final String PASSWORD = "KASANE_PASSWORD";

  /** The environment's variable with the password of keystores and keys. */
  static final String STORE_PASSWORD = "KASANE_STORE_PASSWORD";

  private final Map<String, String> environment;

  /**
   * @param environment variables and their values
   */
  public Secrets(Map<String, String> environment) {
    this.environment = environment;
  }

  /** A file's, if one is named, else a variable's, if it is set. */
  public Optional<String> find(Optional<Path> file, String variable) {
    return file.map(Secrets::read).or(() -> Optional.ofNullable(environment.get(variable)));
  }

  private static String read(Path file) {
    CqlshFiles.requirePrivate(file);
    try {
      return Files.readString(file).stripTrailing();
    } catch (IOException e) {
      throw new NodeException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Asks who sits at the terminal. */
  @SuppressWarnings("SystemConsoleNull") // Java 17 it is
  public static String ask(String username) {
    Console console = System.console();
    char[] typed = console == null ? null : console.readPassword("Password of %s: ", username);
    if (typed == null) {
      throw new NodeException(
          "no password for '"
              + username
              + "', and no terminal to ask at: give --password-file, set "
              + PASSWORD
              + ", or write it into cqlsh's credentials file");
    }
    return new String(typed);
  }
}
