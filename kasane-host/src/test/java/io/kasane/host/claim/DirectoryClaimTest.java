/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.host.refuse.HostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryClaimTest {
  @TempDir private Path root;
  private Path shared;
  private NodeId a;
  private NodeId b;

  @BeforeEach
  void twoNodes() {
    shared = root.resolve("shared");
    a = new NodeId(List.of(root.resolve("a")), List.of());
    b = new NodeId(List.of(root.resolve("b")), List.of());
  }

  private DirectoryClaim take(NodeId node) throws IOException {
    return DirectoryClaim.take(shared, node, "engine_directory");
  }

  @Test
  void aDirectoryIsItsFirstNodesFromThenOn() throws IOException {
    take(a).close();
    assertThat(shared.resolve(DirectoryClaim.OWNER)).hasContent(a.orMade());
    take(a).close();
    String unknown = "this node has no id yet, in " + root.resolve("b").resolve(NodeId.FILE);
    assertThatThrownBy(() -> take(b))
        .isInstanceOf(HostException.class)
        .hasMessageContainingAll("'" + a.orMade() + "'", unknown);
    assertThat(root.resolve("b")).doesNotExist();
    String other = b.orMade();
    assertThatThrownBy(() -> take(b)).hasMessageContaining("this node is '" + other + "'");
    Files.delete(shared.resolve(DirectoryClaim.OWNER));
    take(b).close();
    assertThatThrownBy(() -> take(a)).hasMessageContaining("'" + other + "'");
  }

  @Test
  void anotherNodesDirectoryIsLeftAsItWas() throws IOException {
    Files.createDirectories(shared);
    Files.writeString(shared.resolve(DirectoryClaim.OWNER), "somebody\nelse");
    assertThatThrownBy(() -> take(a)).hasMessageContaining("'somebody\\u000aelse'");
    assertThat(shared.toFile().list()).containsExactly(DirectoryClaim.OWNER);
  }

  @Test
  void theDataTakeTheIdAlong() throws IOException {
    take(a).close();
    Path elsewhere = Files.move(root.resolve("a"), root.resolve("elsewhere"));
    List<Path> data = List.of(root.resolve("new"), elsewhere);
    DirectoryClaim.take(shared, new NodeId(data, List.of()), "engine_directory").close();
    assertThat(root.resolve("new")).doesNotExist();
  }

  @Test
  void twoIdsAreRefused() {
    a.orMade();
    b.orMade();
    NodeId both = new NodeId(List.of(root.resolve("a"), root.resolve("b")), List.of());
    assertThatThrownBy(() -> take(both))
        .isInstanceOf(HostException.class)
        .hasMessageContainingAll(
            root.resolve("a").toString(), root.resolve("b").toString(), "move away");
  }

  @Test
  void theIdIsNotKeptOnTheFastDisk() throws IOException {
    Path fast = root.resolve("fast");
    Path slow = root.resolve("slow");
    new NodeId(List.of(fast, slow), List.of(fast)).orMade();
    assertThat(slow.resolve(NodeId.FILE)).exists();
    assertThat(fast).doesNotExist();
  }

  @Test
  void aProcessHasADirectoryOnce() throws Exception {
    Path link = root.resolve("link");
    try (DirectoryClaim claim = take(a)) {
      Files.createSymbolicLink(link, shared);
      assertThatThrownBy(() -> DirectoryClaim.take(link, a, "engine_directory"))
          .isInstanceOf(HostException.class)
          .hasMessageContainingAll(link.toString(), "this process");
      // The attempt has not given the lock back.
      assertThat(otherProcess()).contains("another process has locked");
    }
    assertThat(otherProcess()).isEqualTo("taken");
    take(a).close();
  }

  @Test
  void aKilledProcessLeavesNoLock() throws Exception {
    Process holder = start(Holder.HOLD);
    try {
      assertThat(holder.inputReader().readLine()).isEqualTo("taken");
      assertThatThrownBy(() -> take(a))
          .isInstanceOf(HostException.class)
          .hasMessageContainingAll(
              shared.toString(), "another process has locked", "engine_directory");
    } finally {
      holder.destroyForcibly().waitFor();
    }
    assertThat(shared.resolve(DirectoryClaim.LOCK)).exists();
    take(a).close();
  }

  /** What another process is told that claims the directory. */
  private String otherProcess() throws Exception {
    Process process = start("");
    String said = process.inputReader().readLine();
    process.waitFor();
    return said;
  }

  private Process start(String then) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            shared.toString(),
            root.resolve("a").toString(),
            then)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** A process that claims a directory, and may hold it until it is killed. */
  static final class Holder {
    static final String HOLD = "hold";

    private Holder() {}

    /** Prints what came of it. */
    public static void main(String[] args) throws Exception {
      NodeId node = new NodeId(List.of(Path.of(args[1])), List.of());
      String said = "taken";
      try {
        var unused = DirectoryClaim.take(Path.of(args[0]), node, "engine_directory");
      } catch (HostException e) {
        said = e.getMessage();
      }
      System.out.println(said);
      if (args[2].equals(HOLD)) {
        Thread.sleep(Long.MAX_VALUE);
      }
    }
  }
}
