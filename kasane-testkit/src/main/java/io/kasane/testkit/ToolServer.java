/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.security.Permission;

/**
 * Runs one of Cassandra's tools again and again, in one process: starting Java is what takes the
 * time. Runs on a node's class path, where nothing else of this module is.
 *
 * <p>A request is the number of arguments and each of them; an answer the tool's status, how many
 * bytes it printed, and those. Ends with its input.
 */
public final class ToolServer {
  /** What a shell calls a tool that could not be run. */
  private static final int FAILED = 126;

  private ToolServer() {}

  /** Serves until its input ends; the argument is the tool: nodetool, or the name of a class. */
  @SuppressWarnings("removal") // nothing else keeps a tool from ending the process
  public static void main(String[] tool) throws IOException {
    DataInputStream requests = new DataInputStream(new BufferedInputStream(System.in));
    DataOutputStream answers = new DataOutputStream(new BufferedOutputStream(System.out));
    Tool runs =
        StockTools.NODETOOL.equals(tool[0])
            ? ToolServer::nodetool
            : arguments -> mainOf(tool[0], arguments);
    while (true) {
      String[] arguments;
      try {
        arguments = new String[requests.readInt()];
      } catch (EOFException end) {
        Runtime.getRuntime().halt(0);
        return;
      }
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = requests.readUTF();
      }
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      ByteArrayOutputStream errors = new ByteArrayOutputStream();
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
      int status;
      try {
        status = runs.run(arguments);
      } catch (ReflectiveOperationException | RuntimeException | Error e) {
        e.printStackTrace();
        status = FAILED;
      }
      System.out.flush();
      if (status != 0) {
        errors.writeTo(printed);
      }
      answers.writeInt(status);
      answers.writeInt(printed.size());
      printed.writeTo(answers);
      answers.flush();
    }
  }

  private interface Tool {
    int run(String[] arguments) throws ReflectiveOperationException;
  }

  private static int nodetool(String[] arguments) throws ReflectiveOperationException {
    Class<?> probes = Class.forName("org.apache.cassandra.tools.INodeProbeFactory");
    Class<?> output = Class.forName("org.apache.cassandra.tools.Output");
    Class<?> nodetool = Class.forName("org.apache.cassandra.tools.NodeTool");
    Constructor<?> probesOfJmx =
        Class.forName("org.apache.cassandra.tools.NodeProbeFactory").getDeclaredConstructor();
    probesOfJmx.setAccessible(true);
    Object tool =
        nodetool
            .getConstructor(probes, output)
            .newInstance(
                probesOfJmx.newInstance(),
                output
                    .getConstructor(PrintStream.class, PrintStream.class)
                    .newInstance(System.out, System.out));
    return (int) nodetool.getMethod("execute", String[].class).invoke(tool, (Object) arguments);
  }

  /** A tool ends the process when it is done, or returns, and throws when it fails. */
  @SuppressWarnings("removal")
  private static int mainOf(String name, String[] arguments) throws ReflectiveOperationException {
    // Loading the class registers MBeans, which needs rights that a security manager takes away.
    Class<?> tool = Class.forName(name);
    System.setSecurityManager(new NoExit());
    try {
      tool.getMethod("main", String[].class).invoke(null, (Object) arguments);
      return 0;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exit exit) {
        return exit.status;
      }
      e.getCause().printStackTrace();
      return 1;
    } finally {
      System.setSecurityManager(null);
    }
  }

  private static final class Exit extends SecurityException {
    private static final long serialVersionUID = 1L;
    private final int status;

    Exit(int status) {
      super("exit " + status);
      this.status = status;
    }
  }

  @SuppressWarnings("removal")
  private static final class NoExit extends SecurityManager {
    @Override
    public void checkExit(int status) {
      throw new Exit(status);
    }

    @Override
    public void checkPermission(Permission permission) {}
  }
}
