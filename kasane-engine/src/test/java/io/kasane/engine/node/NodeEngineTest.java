/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.contract.OpenedEngine;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.host.claim.NodeId;
import io.kasane.host.refuse.HostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose an engine's directory is, and what comes when it cannot be opened. */
class NodeEngineTest {
  private static final Duration MOST = Duration.ofSeconds(20);

  @TempDir private Path root;
  private Path directory;
  private ExecutorService threads;
  private boolean mustHaveFiles;
  private Consumer<Set<String>> onOpen = found -> {};

  @BeforeEach
  void begin() {
    directory = root.resolve("engines/naive");
    threads = Executors.newCachedThreadPool();
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private NodeEngine engine(String node, EngineProvider provider) {
    return new NodeEngine(
        provider,
        OpenedEngine.options(directory, EngineOptions.MIN_BYTES),
        new EngineDirectory(
            directory, new NodeId(List.of(root.resolve(node)), List.of()), () -> mustHaveFiles),
        2,
        MOST,
        threads,
        found -> onOpen.accept(found));
  }

  private NodeEngine engine(String node) {
    return engine(node, new NaiveProvider(Integer.MAX_VALUE));
  }

  private String idOf(String node) throws IOException {
    return Files.readString(root.resolve(node).resolve(".kasane-node"));
  }

  private void awaitOpen(NodeEngine engine) {
    Awaitility.await()
        .atMost(MOST)
        .until(
            () -> {
              engine.look();
              return engine.isOpen() && engine.writes().isClosed() && engine.reads().isClosed();
            });
  }

  /** The engines themselves would let both in: each of these has disks of its own. */
  @Test
  void aDirectoryThatIsOpenIsRefused() {
    NodeEngine first = engine("a");
    first.open(MOST);
    assertThat(first.isOpen()).isTrue();
    NodeEngine second = engine("a");
    assertThatThrownBy(() -> second.open(MOST))
        .isInstanceOf(HostException.class)
        .hasMessageContainingAll(directory.toString(), "in use", "engine_directory");
    assertThat(second.isOpen()).isFalse();
  }

  @Test
  void anotherNodesDirectoryIsRefusedWithTheWaysOut() throws IOException {
    engine("a").open(MOST);
    Files.createDirectories(root.resolve("b"));
    Files.writeString(root.resolve("b/.kasane-node"), "b's own");
    NodeEngine second = engine("b");
    assertThatThrownBy(() -> second.open(MOST))
        .isInstanceOf(HostException.class)
        .hasMessageContainingAll(
            directory + " belongs to another node",
            "says '" + idOf("a") + "'",
            "this node is 'b's own'",
            "Correct engine_directory",
            "delete " + directory.resolve(".kasane-owner"));
    assertThat(second.isOpen()).isFalse();
  }

  @Test
  void anEmptyDirectoryThatMustHaveFilesIsLeftEmpty() throws IOException {
    mustHaveFiles = true;
    Files.createDirectories(directory);
    NodeEngine engine = engine("a");
    engine.open(MOST);
    assertThatThrownBy(engine::open)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("is empty");
    assertThat(directory).isEmptyDirectory();
    assertThat(root.resolve("a")).doesNotExist();
    Files.createFile(directory.resolve("a file of the engine"));
    awaitOpen(engine);
  }

  @Test
  void filesOfTheClaimAreNotTheEngines() throws IOException {
    mustHaveFiles = true;
    Files.createDirectories(directory);
    for (String name : List.of(".kasane-lock", ".kasane-owner", ".kasane-owner.tmp")) {
      Files.createFile(directory.resolve(name));
    }
    NodeEngine engine = engine("a");
    engine.open(MOST);
    assertThatThrownBy(engine::open).hasMessageContaining("is empty");
  }

  /** It is tried again, which its own claim must not stand in the way of. */
  @Test
  void anEngineThatCouldNotBeOpenedIsOpenedLater() {
    boolean[] fails = {true, true};
    NaiveProvider naive = new NaiveProvider(Integer.MAX_VALUE);
    EngineProvider failing =
        new EngineProvider() {
          @Override
          public String name() {
            return "failing";
          }

          @Override
          public Engine open(EngineOptions options) {
            if (fails[0]) {
              fails[0] = false;
              throw new EngineException(Kind.CORRUPT, "for once");
            }
            return naive.open(options);
          }
        };
    onOpen =
        found -> {
          if (fails[1]) {
            fails[1] = false;
            throw new IllegalStateException("for once, too");
          }
        };
    NodeEngine engine = engine("a", failing);
    engine.open(MOST);
    assertThatThrownBy(engine::open).hasMessageContaining("for once");
    awaitOpen(engine);
    assertThat(fails).containsExactly(false, false);
  }
}
