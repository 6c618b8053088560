/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.protocol.RampException;
import io.kasane.ramp.version.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The table of an index goes back to before, while rows are put and looked up. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class RolledBackIndexIT {
  private static final int ROWS = 200;
  private static final int VALUES = 20;
  private static final int AT_ONCE = 50;

  @TempDir private static Path dir;
  private LocalNode node;
  private CqlSession cql;
  private RampSession session;

  @BeforeAll
  void open(LocalNode shared, CqlSession driver, RampSession opened) {
    node = shared;
    cql = driver;
    session = opened;
  }

  private SecondaryIndex<Integer, Integer, Integer> open(String name) {
    return SecondaryIndex.open(
        session,
        RowTable.of(name, Codecs.int32(), Codecs.int32()),
        name + "_by_value",
        Codecs.int32(),
        Set::of);
  }

  private static void put(
      SecondaryIndex<Integer, Integer, Integer> index, RampSession by, int from, int shift) {
    index.put(
        by,
        IntStream.range(from, from + AT_ONCE)
            .boxed()
            .collect(Collectors.toMap(row -> row, row -> (row + shift) % VALUES)));
  }

  @Test
  void shouldBeWholeAgainWhileItIsUsed() throws Exception {
    SecondaryIndex<Integer, Integer, Integer> index = open("rolled");
    for (int from = 0; from < ROWS; from += AT_ONCE) {
      put(index, session, from, 0);
    }
    assertThat(index.verify(session)).isEqualTo(new Check(ROWS, 0, 0, 0));
    nodetool(node, "snapshot", "-t", "before", "-cf", "rolled_by_value", "uses");
    for (int from = 0; from < ROWS / 2; from += AT_ONCE) {
      put(index, session, from, 7);
    }
    cql.execute("TRUNCATE uses.rolled_by_value");
    nodetool(node, "import", "uses", "rolled_by_value", copyOfSnapshot("rolled_by_value"));
    assertThat(index.verify(session).isComplete()).isFalse();

    try (Load load = new Load(index)) {
      Check found = index.rebuild(session);
      assertThat(found.missing()).isPositive();
      load.requireFailuresNoMore();
      assertThat(load.ended()).isPositive();
    }

    Check after = index.verify(session.newSession());
    assertThat(after.rows()).isEqualTo(ROWS + AT_ONCE);
    assertThat(after.isComplete()).as(after.toString()).isTrue();
    Map<Integer, Integer> listed = new HashMap<>();
    for (int value = 0; value < VALUES; value++) {
      index.find(session.newSession(), value).forEach(listed::put);
    }
    for (int row = 0; row < ROWS; row++) {
      assertThat(listed.get(row))
          .as("row %d", row)
          .isEqualTo((row + (row < ROWS / 2 ? 7 : 0)) % VALUES);
    }
  }

  @Test
  void shouldPutTheEntriesThatAHealedTransactionLost() {
    SecondaryIndex<Integer, Integer, Integer> index = open("healed");
    put(index, session, 0, 0);
    cql.execute("TRUNCATE uses.healed_by_value");
    put(index, session, AT_ONCE, 0);

    LostVersionException lost = lossOf(index);
    index.heal(session, lost);

    assertThat(index.verify(session.newSession())).isEqualTo(new Check(2 * AT_ONCE, 0, 0, 0));
    assertThat(index.find(session.newSession(), 3)).containsOnlyKeys(3, 23, 43, 63, 83);
  }

  /** What cannot be read together is gone through again. */
  @Test
  void shouldCountStaleEntriesOnceBesideRowsThatAreLost() {
    SecondaryIndex<Integer, Integer, Integer> index = open("counted");
    put(index, session, 0, 0);
    RampCollection<Integer, Stamped<Integer>, Bytes> entries =
        session.collection(
            "counted_by_value", Codecs.int32(), Stamped.codec(Codecs.int32()), Codecs.blob());
    RampTransaction without = session.write();
    for (int value = 0; value < VALUES; value++) {
      without.put(entries, value, Stamped.fresh(1_000 + value), Bytes.EMPTY);
    }
    without.commit();
    index.put(session, 7, 7);
    cql.execute(
        "DELETE FROM uses.counted WHERE partition = ?", Codecs.int32().encode(7).toBuffer());

    Check found = index.verify(session.newSession());
    assertThat(found.stale()).as("of all values that can be read").isEqualTo(VALUES - 1);
    assertThat(found.unreadable()).isPositive();
  }

  /** A read of a row with its entry. */
  private LostVersionException lossOf(SecondaryIndex<Integer, Integer, Integer> index) {
    RampSession reader = session.newSession();
    try {
      reader.readTransaction(
          within -> {
            for (int value = 0; value < VALUES; value++) {
              index.find(reader, within, value);
            }
            return within.read(
                index.want(reader.read(), IntStream.range(0, AT_ONCE).boxed().toList()));
          });
    } catch (LostVersionException e) {
      return e;
    }
    throw new AssertionError("nothing was lost");
  }

  private String copyOfSnapshot(String table) throws IOException {
    Path copy = Files.createDirectories(dir.resolve("import-" + table));
    for (Path data : Set.of(node.settings().fast(), node.settings().slow())) {
      if (!Files.isDirectory(data.resolve("uses"))) {
        continue;
      }
      try (var files = Files.walk(data.resolve("uses"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          boolean wanted =
              file.getParent().endsWith(Path.of("snapshots", "before"))
                  && file.toString().contains("/" + table + "-")
                  && file.getFileName().toString().contains("-big-");
          if (wanted) {
            Files.copy(file, copy.resolve(file.getFileName().toString()));
          }
        }
      }
    }
    return copy.toString();
  }

  /** Rows of its own that are put, and look-ups of all, until it is closed. */
  private final class Load implements AutoCloseable {
    private final Random random = new Random(7);
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final CompletableFuture<Void> running;
    private volatile boolean closed;

    Load(SecondaryIndex<Integer, Integer, Integer> index) {
      running =
          CompletableFuture.runAsync(
              () -> {
                while (!closed) {
                  step(index);
                }
              });
    }

    private void step(SecondaryIndex<Integer, Integer, Integer> index) {
      try {
        put(index, session.newSession(), ROWS, random.nextInt(VALUES));
        index.find(session.newSession(), random.nextInt(VALUES));
        ended.incrementAndGet();
      } catch (RampException e) {
        failures.merge(String.valueOf(e.getMessage()), 1, Integer::sum);
      }
    }

    int ended() {
      return ended.get();
    }

    void requireFailuresNoMore() {
      failures.clear();
      int before = ended.get();
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> ended.get() >= before + 10 || !failures.isEmpty());
      assertThat(failures).isEmpty();
    }

    @Override
    public void close() {
      closed = true;
      running.join();
    }
  }
}
