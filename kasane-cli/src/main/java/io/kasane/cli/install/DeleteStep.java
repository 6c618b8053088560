/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files of Kasane go, in this order; never a directory, which others may use, too.
 *
 * @param files that may be there
 */
record DeleteStep(List<Path> files) implements Step {
  DeleteStep {
    files = List.copyOf(files);
  }

  private List<Path> present() {
    return files.stream().filter(Files::isRegularFile).distinct().toList();
  }

  @Override
  public String shown() {
    StringBuilder text = new StringBuilder();
    present().forEach(file -> text.append("- ").append(file).append('\n'));
    return text.toString();
  }

  @Override
  public void run() throws IOException {
    for (Path file : present()) {
      Files.delete(file);
    }
  }
}
