/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Bounds the nodes that run at a time, in whatever JVMs and modules tests run side by side. A test
 * class waits for as many permits as it runs nodes at a time, by its tags: one for {@code node},
 * {@value #PAIR} for {@code pair}, {@value #CLUSTER} for {@code cluster}. Permits are locks on the
 * bytes of a file, so they end with the process that holds them. Without the file's name, nothing
 * waits.
 */
public final class NodePermits implements TestExecutionListener {
  private static final String FILE = "kasane.node.permits";
  private static final int PAIR = 2;
  private static final int CLUSTER = 3;

  /** Nodes of half a GiB and more that a machine of two processors has room for. */
  private static final int ALL = 4;

  /** Who is about to take some holds the byte after the permits. */
  private static final int TURN = ALL;

  /** About as long as a class runs. */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  private static final Duration POLL = Duration.ofMillis(100);

  private final List<FileLock> held = new ArrayList<>();
  private FileLock turn;
  private TestIdentifier holder;
  private FileChannel file;

  @Override
  public void executionStarted(TestIdentifier started) {
    int wanted = wanted(started);
    if (holder == null && wanted > 0 && System.getProperty(FILE) != null) {
      holder = started;
      acquire(Path.of(System.getProperty(FILE)), wanted);
    }
  }

  @Override
  public void executionFinished(TestIdentifier finished, TestExecutionResult result) {
    if (finished.equals(holder)) {
      release();
      holder = null;
    }
  }

  private static int wanted(TestIdentifier of) {
    if (!of.isContainer()) {
      return 0;
    }
    List<String> tags = of.getTags().stream().map(TestTag::getName).toList();
    return tags.contains("cluster")
        ? CLUSTER
        : tags.contains("pair") ? PAIR : tags.contains("node") ? 1 : 0;
  }

  private void acquire(Path path, int wanted) {
    try {
      Files.createDirectories(path.getParent());
      file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      long began = System.nanoTime();
      Awaitility.await()
          .forever()
          .pollDelay(Duration.ZERO)
          .pollInterval(POLL)
          .until(() -> take(wanted, System.nanoTime() - began > PATIENCE.toNanos()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Takes all, or none: permits that are gathered lie idle. Whoever wants many is passed by those
   * who want one, for a while; then nobody takes any until there are enough.
   */
  private boolean take(int wanted, boolean isImpatient) throws IOException {
    if (turn == null) {
      turn = file.tryLock(TURN, 1, false);
    }
    if (turn == null) {
      return false;
    }
    for (int permit = 0; permit < ALL && held.size() < wanted; permit++) {
      int each = permit;
      if (held.stream().noneMatch(lock -> lock.position() == each)) {
        FileLock lock = file.tryLock(permit, 1, false);
        if (lock != null) {
          held.add(lock);
        }
      }
    }
    boolean isEnough = held.size() == wanted;
    if (isEnough || !isImpatient) {
      if (!isEnough) {
        for (FileLock lock : held) {
          lock.release();
        }
        held.clear();
      }
      turn.release();
      turn = null;
    }
    return isEnough;
  }

  private void release() {
    try {
      held.clear();
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
