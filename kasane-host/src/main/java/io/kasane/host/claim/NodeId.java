/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.claim;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.host.refuse.HostException;
import io.kasane.host.refuse.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Who this node is to directories that it alone may use: an id of Kasane's own, which goes where
 * the node's data go. Cassandra's host id cannot be asked for while the storage hook starts, and is
 * not there before the first start has ended. Thread-safe.
 */
public final class NodeId {
  public static final String FILE = ".kasane-node";

  private final List<Path> data;
  private final Path first;

  /**
   * The id of the node with these data directories; nothing is read or written yet.
   *
   * @param data all data directories, in the order of cassandra.yaml
   * @param fast those that a new id is not to be kept in, since their disk may go
   */
  public NodeId(List<Path> data, List<Path> fast) {
    this.data = List.copyOf(data);
    this.first = data.stream().filter(path -> !fast.contains(path)).findFirst().orElse(data.get(0));
  }

  /**
   * Returns the id, if the node has one yet.
   *
   * @throws HostException if it cannot be read, or there are two
   */
  Optional<String> known() {
    Path known = null;
    for (Path directory : data) {
      Path file = directory.resolve(FILE);
      if (!Files.exists(file)) {
        continue;
      }
      if (known != null && !read(known).equals(read(file))) {
        throw new HostException(
            known
                + " and "
                + file
                + " say two different things of which node this is: move away the one that came"
                + " with another node's data");
      }
      known = file;
    }
    return Optional.ofNullable(known).map(NodeId::read);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).trim();
    } catch (IOException e) {
      throw new HostException("cannot read " + file + ": " + e, e);
    }
  }

  /**
   * Returns the id, which is made if the node has none yet; then the disk has it.
   *
   * @throws HostException if it cannot be read or written
   */
  synchronized String orMade() {
    return known().orElseGet(this::made);
  }

  private String made() {
    Path file = first.resolve(FILE);
    String id = UUID.randomUUID().toString();
    try {
      Files.createDirectories(first);
      DurableFile.write(file, id.getBytes(UTF_8));
    } catch (IOException e) {
      throw new HostException("cannot write " + file + ": " + e, e);
    }
    return id;
  }

  /** Of words that say who this node is. */
  @Override
  public String toString() {
    return known()
        .map(id -> "this node is " + Refusal.quote(id))
        .orElse("this node has no id yet, in " + first.resolve(FILE));
  }
}
