/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import io.kasane.node.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Are the two directories usable, roomy, and on different disks? */
final class DirectoryChecks {
  private static final ByteSize LITTLE = ByteSize.parse("2GiB");
  private static final ByteSize TOO_LITTLE = ByteSize.parse("256MiB");

  private final Path fast;
  private final Path slow;

  DirectoryChecks(Path fast, Path slow) {
    this.fast = fast;
    this.slow = slow;
  }

  List<Finding> run() {
    List<Finding> findings = new ArrayList<>();
    findings.add(writable("fast directory", fast));
    findings.add(writable("slow directory", slow));
    findings.add(space("fast space", fast));
    findings.add(space("slow space", slow));
    findings.add(apart());
    findings.addAll(kinds());
    return findings;
  }

  /** Whether the files of storage engines may lie in a directory. */
  static List<Finding> ofEngines(Path directory) {
    return List.of(writable("engine directory", directory), space("engine space", directory));
  }

  /** Tries what a node would do, in the nearest directory that exists, and cleans up. */
  private static Finding writable(String subject, Path directory) {
    Path existing = BlockDevice.existing(directory);
    if (!Files.isDirectory(existing)) {
      return Finding.fail(subject, existing + " is not a directory; name another one");
    }
    try {
      Files.delete(Files.createTempFile(existing, "kasane-doctor", ".tmp"));
      return Finding.ok(
          subject,
          existing.equals(directory.toAbsolutePath().normalize())
              ? directory + " is writable"
              : directory + " does not exist yet and can be created");
    } catch (IOException e) {
      return Finding.fail(
          subject,
          existing + " is not writable for this user; chown it, or name another directory");
    }
  }

  private static Finding space(String subject, Path directory) {
    try {
      ByteSize free =
          new ByteSize(Files.getFileStore(BlockDevice.existing(directory)).getUsableSpace());
      if (free.bytes() < TOO_LITTLE.bytes()) {
        return Finding.fail(
            subject,
            free.human() + " free, less than " + TOO_LITTLE.human() + "; free space or move it");
      }
      if (free.bytes() < LITTLE.bytes()) {
        return Finding.warn(
            subject, free.human() + " free, less than " + LITTLE.human() + "; it may fill up");
      }
      return Finding.ok(subject, free.human() + " free");
    } catch (IOException e) {
      return Finding.warn(subject, "the file system does not tell its free space: " + e);
    }
  }

  private Finding apart() {
    Optional<BlockDevice> fastDevice = BlockDevice.of(fast);
    Optional<BlockDevice> slowDevice = BlockDevice.of(slow);
    if (fastDevice.isEmpty() || slowDevice.isEmpty()) {
      return Finding.warn("two disks", "the system does not tell which disks the directories use");
    }
    if (fastDevice.equals(slowDevice)) {
      return Finding.warn(
          "two disks",
          "fast and slow are on the same file system: fine to try things out, but nothing gets"
              + " faster; give --fast a directory on the faster disk");
    }
    return Finding.ok("two disks", "fast and slow are on different file systems");
  }

  private List<Finding> kinds() {
    Optional<Boolean> fastTurns = BlockDevice.of(fast).flatMap(BlockDevice::rotational);
    Optional<Boolean> slowTurns = BlockDevice.of(slow).flatMap(BlockDevice::rotational);
    List<Finding> findings = new ArrayList<>();
    if (fastTurns.orElse(false) && !slowTurns.orElse(true)) {
      findings.add(
          Finding.warn(
              "kind of disk", "fast is a turning disk and slow is not: are they swapped?"));
    } else if (fastTurns.orElse(false)) {
      findings.add(Finding.warn("kind of disk", "fast is a turning disk according to the kernel"));
    } else {
      findings.add(
          Finding.ok("kind of disk", "fast: " + kind(fastTurns) + ", slow: " + kind(slowTurns)));
    }
    return findings;
  }

  private static String kind(Optional<Boolean> rotational) {
    return rotational.map(turns -> turns ? "turning" : "solid state").orElse("unknown");
  }
}
