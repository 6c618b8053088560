/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.claim;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.host.refuse.HostException;
import io.kasane.host.refuse.Refusal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A claim on a directory that one node alone may use, and one process at a time. A file in it says
 * whose it is; another one is locked until the process ends, however it does, or the claim is
 * closed. Thread-safe.
 */
public final class DirectoryClaim implements AutoCloseable {
  public static final String OWNER = ".kasane-owner";
  static final String LOCK = ".kasane-lock";

  /**
   * By what tells a directory from others, whatever its path. To close any channel of a locked file
   * gives the lock back, so that no second one may be opened; and one that nobody knows is closed.
   */
  private static final Map<Object, DirectoryClaim> HELD = new ConcurrentHashMap<>();

  private final Object key;
  private FileChannel lock;

  private DirectoryClaim(Object key) {
    this.key = key;
  }

  /**
   * Claims a directory, which is made if it does not exist. One that is nobody's becomes this
   * node's.
   *
   * @param setting which setting of kasane.yaml names the directory, for the words of a refusal
   * @param marks names of files in it, besides its owner's, that go when another node takes it over
   * @throws HostException if it is another node's, or another process has it
   * @throws IOException if that cannot be found out
   */
  public static DirectoryClaim take(Path directory, NodeId node, String setting, String... marks)
      throws IOException {
    // Before anything is made: another node's directory is left as it was.
    requireNoOther(directory, node, setting, marks);
    Files.createDirectories(directory);
    DirectoryClaim claim =
        new DirectoryClaim(Files.readAttributes(directory, BasicFileAttributes.class).fileKey());
    if (HELD.putIfAbsent(claim.key, claim) != null) {
      throw held(directory, "this process has it already", setting);
    }
    try {
      claim.lock(directory, setting);
      // Who was faster has written it by now.
      requireNoOther(directory, node, setting, marks);
      if (!hasOwner(directory)) {
        DurableFile.write(directory.resolve(OWNER), node.orMade().getBytes(UTF_8));
      }
      return claim;
    } catch (IOException | RuntimeException | Error e) {
      claim.close();
      throw e;
    }
  }

  private void lock(Path directory, String setting) throws IOException {
    Path file = directory.resolve(LOCK);
    lock = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock.tryLock() == null) {
      throw held(directory, "another process has locked " + file, setting);
    }
  }

  private static HostException held(Path directory, String how, String setting) {
    return new HostException(
        directory
            + " is in use: "
            + how
            + ". If that is this node, wait until it has ended; else correct "
            + setting
            + " in kasane.yaml: no two nodes may share a directory");
  }

  private static void requireNoOther(Path directory, NodeId node, String setting, String... marks)
      throws IOException {
    if (!hasOwner(directory)) {
      return;
    }
    Path file = directory.resolve(OWNER);
    String owner = Files.readString(file).trim();
    if (node.known().filter(owner::equals).isEmpty()) {
      throw new HostException(
          directory
              + " belongs to another node: "
              + file
              + " says "
              + Refusal.quote(owner)
              + ", and "
              + node
              + ". Correct "
              + setting
              + " in kasane.yaml; or, if this node takes over for good what that one has there,"
              + " delete "
              + Stream.concat(Stream.of(OWNER), Stream.of(marks))
                  .map(mark -> directory.resolve(mark).toString())
                  .collect(Collectors.joining(" and "))
              + " and start again");
    }
  }

  /** Whether a directory is some node's. */
  public static boolean hasOwner(Path directory) {
    return Files.exists(directory.resolve(OWNER));
  }

  /** Whether a file of that name in a directory is there for the claim, and not part of its use. */
  public static boolean isItsFile(String name) {
    return name.startsWith(OWNER) || name.equals(LOCK);
  }

  /** Lets other processes have it; it stays this node's. Closing again does nothing. */
  @Override
  public void close() {
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException e) {
      throw new HostException("cannot unlock a directory: " + e, e);
    } finally {
      HELD.remove(key, this);
    }
  }
}
