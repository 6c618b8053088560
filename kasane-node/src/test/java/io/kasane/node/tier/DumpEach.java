/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.tier;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.Permission;
import java.util.List;

/**
 * Runs stock sstabledump once for each SSTable named, in one process: starting Java is what takes
 * the time. Runs on a node's class path, where this module is not.
 */
public final class DumpEach {
  private static final String SSTABLEDUMP = "org.apache.cassandra.tools.SSTableExport";

  /** The tool's option for keys alone. */
  static final String KEYS = "-e";

  /** The tool's option for rows with times as they are stored. */
  static final String ROWS = "-t";

  private DumpEach() {}

  /** Prints each Data.db file as sstabledump does; an option of the tool comes first. */
  @SuppressWarnings("removal") // nothing else keeps the tool from ending the process
  public static void main(String[] optionAndFiles) throws ReflectiveOperationException {
    String option = optionAndFiles[0];
    List<String> dataFiles = List.of(optionAndFiles).subList(1, optionAndFiles.length);
    PrintStream out = System.out;
    // Loading the class registers MBeans, which needs rights that a security manager takes away.
    Method tool = Class.forName(SSTABLEDUMP).getMethod("main", String[].class);
    System.setSecurityManager(new NoExit());
    for (String file : dataFiles) {
      System.setOut(new PrintStream(new NoClose(out), true, StandardCharsets.UTF_8));
      try {
        tool.invoke(null, (Object) new String[] {file, option});
      } catch (InvocationTargetException e) {
        if (!(e.getCause() instanceof Exit exit) || exit.status != 0) {
          throw e;
        }
      }
      System.out.flush();
      out.println();
    }
    out.flush();
    System.setSecurityManager(null);
    Runtime.getRuntime().halt(0);
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

  private static final class NoClose extends FilterOutputStream {
    NoClose(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
