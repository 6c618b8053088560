/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.login.LoginOptions;
import io.kasane.node.NodeException;
import io.kasane.node.views.NodeOverview;
import java.io.PrintWriter;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kasane grants}: the statements that let a role look at what Kasane shows. */
@Command(
    name = "grants",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints the CQL statements that let a role read Kasane's views, for 'kasane heat', 'status',"
          + " 'doctor' and 'report', one for each view that the node has. Changes nothing: look at"
          + " them, and feed them to cqlsh.",
      "Cassandra takes no GRANT on a whole virtual keyspace. Whoever may SELECT on ALL KEYSPACES"
          + " needs none of these."
    })
public final class GrantsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--role", paramLabel = "ROLE", required = true, description = "The role.")
  private String role;

  @Option(
      names = "--revoke",
      description =
          "The statements that take it back: before the jars go, since views go with them.")
  private boolean revoke;

  @Mixin private LoginOptions login;

  @Override
  public Integer call() {
    if (role.isBlank()) {
      throw new ParameterException(spec.commandLine(), "--role: '' is no role; name one");
    }
    PrintWriter out = spec.commandLine().getOut();
    Set<String> views;
    try (CqlSession session = login.openNode()) {
      views = NodeOverview.viewNames(session, login.address(), login.port());
    }
    if (views.isEmpty()) {
      throw new NodeException(
          "the node has no kasane_views: it runs without Kasane's jars or without the storage hook");
    }
    String to = CqlIdentifier.fromInternal(role).asCql(true);
    views.forEach(view -> print(out, "kasane_views." + view, to));
    // Of Cassandra's own, which the doctor looks at.
    print(out, "system_views.settings", to);
    out.flush();
    return 0;
  }

  private void print(PrintWriter out, String table, String to) {
    out.printf(
        "%s SELECT ON %s %s %s;%n", revoke ? "REVOKE" : "GRANT", table, revoke ? "FROM" : "TO", to);
  }
}
