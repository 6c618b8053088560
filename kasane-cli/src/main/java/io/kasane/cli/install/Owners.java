/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

/** Who owns files, and who may read them. */
final class Owners {
  private Owners() {}

  /** Gives {@code to} the owner, group and mode of {@code from}. */
  static void copy(Path from, Path to) throws IOException {
    PosixFileAttributes wanted =
        Files.getFileAttributeView(from, PosixFileAttributeView.class).readAttributes();
    PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    PosixFileAttributes present = view.readAttributes();
    if (!present.permissions().equals(wanted.permissions())) {
      view.setPermissions(wanted.permissions());
    }
    try {
      if (!present.owner().equals(wanted.owner())) {
        view.setOwner(wanted.owner());
      }
      if (!present.group().equals(wanted.group())) {
        view.setGroup(wanted.group());
      }
    } catch (IOException e) {
      throw new NodeException(
          to
              + " cannot be given to "
              + wanted.owner().getName()
              + ", whose "
              + from
              + " is: run this as root",
          e);
    }
  }
}
