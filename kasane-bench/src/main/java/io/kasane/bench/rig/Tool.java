/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.node.NodeException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the operating system. */
final class Tool {
  private Tool() {}

  /** Finds a program; those of the administrator are not on everybody's path. */
  static Optional<Path> find(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator, -1)), Stream.of("/usr/sbin", "/sbin"))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Runs a program and returns what it printed.
   *
   * @throws NodeException with the program's own words if it fails
   */
  static String run(String program, Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(find(program).map(Path::toString).orElse(program));
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String printed =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int status = process.waitFor();
    if (status != 0) {
      throw new NodeException(String.join(" ", command) + " ended with " + status + ": " + printed);
    }
    return printed;
  }
}
