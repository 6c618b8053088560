/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A disk whose power can be cut: an ext4 file system in a file, behind a loop device. What was not
 * synced is in the kernel's memory only, which a copy of the file does not have; the copy is the
 * disk after the cut. The file system commits by itself after an hour only, and the kernel writes
 * pages back that are half a minute old: cuts must come sooner. Needs Linux and root.
 *
 * <p>Whoever writes must have been killed before a cut, so that nothing changes under the copy.
 */
public final class PowerCutDisk implements AutoCloseable {
  private final Path image;
  private final Path directory;

  private PowerCutDisk(Path image, Path directory) {
    this.image = image;
    this.directory = directory;
  }

  /** Whether this machine can have one: tries it, in {@code dir}. */
  public static boolean isPossible(Path dir) throws InterruptedException {
    try (PowerCutDisk disk = create(dir, 16L << 20)) {
      disk.cut();
      return true;
    } catch (IOException e) {
      System.out.println("no power cuts on this machine: " + e.getMessage());
      return false;
    }
  }

  /** Makes an empty disk, with its file in {@code dir}. */
  public static PowerCutDisk create(Path dir, long bytes) throws IOException, InterruptedException {
    Path image = dir.resolve("disk.img");
    Path directory = Files.createDirectories(dir.resolve("disk"));
    run("truncate", "-s", String.valueOf(bytes), image.toString());
    run(
        "/usr/sbin/mkfs.ext4",
        "-q",
        "-F",
        "-m",
        "0",
        "-E",
        "lazy_itable_init=0,lazy_journal_init=0",
        image.toString());
    PowerCutDisk disk = new PowerCutDisk(image, directory);
    disk.mount();
    return disk;
  }

  private void mount() throws IOException, InterruptedException {
    run("mount", "-o", "loop,commit=3600", image.toString(), directory.toString());
  }

  /** Returns where it is mounted. */
  public Path directory() {
    return directory;
  }

  /** Cuts the power, and starts the machine again: all that was not synced is gone. */
  public void cut() throws IOException, InterruptedException {
    Path after = image.resolveSibling("after.img");
    run("cp", "--sparse=always", image.toString(), after.toString());
    run("umount", directory.toString());
    run("mv", after.toString(), image.toString());
    mount();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    run("umount", directory.toString());
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }
}
