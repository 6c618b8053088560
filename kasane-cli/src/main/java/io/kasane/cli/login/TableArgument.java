/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.login;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which table a command is about. */
public final class TableArgument {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(paramLabel = "KS.TABLE", description = "The table, with its keyspace.")
  private String name;

  /** Its name with its keyspace. */
  public String name() {
    return name;
  }

  /** Its keyspace. */
  public String keyspace() {
    return parts()[0];
  }

  /** Its name without the keyspace. */
  public String table() {
    return parts()[1];
  }

  /** Refuses what is no name of a table. */
  public void check() {
    parts();
  }

  private String[] parts() {
    String[] parts = name.split("\\.", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "'" + name + "' is not KEYSPACE.TABLE, such as shop.items");
    }
    return parts;
  }
}
