/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkipIndexLogTest {
  @TempDir private Path dir;
  private Path file;
  private Set<String> live = new HashSet<>(Set.of("slow", "copy"));
  private SkipIndex<Set<String>, String> skipIndex;
  private long nanoTime;

  @BeforeEach
  void start() {
    file = dir.resolve("heat/k.t.copies");
    restart();
  }

  @AfterEach
  void close() {
    skipIndex.close();
  }

  private void restart() {
    if (skipIndex != null) {
      skipIndex.close();
    }
    SkipIndexLog<String> log =
        new SkipIndexLog<>(
            file, name -> name.startsWith("sequential") ? null : name, () -> nanoTime);
    skipIndex =
        new SkipIndex<>(
            () -> 100_000_000, () -> Set.copyOf(live), moment -> moment, Optional.of(log));
    skipIndex.restore(() -> live.stream().collect(Collectors.toMap(Function.identity(), s -> s)));
  }

  private static SortedTokenSet tokens(int... tokens) {
    return SortedTokenSet.of(Arrays.stream(tokens).asLongStream().toArray());
  }

  private boolean leavesOut(String slow, int key) {
    return skipIndex.contains(slow, key);
  }

  @Test
  void rowsAreLeftOutAfterARestartAsBefore() {
    skipIndex.add(Map.of("slow", tokens(1, 2, 3)), List.of("copy"));
    restart();
    assertThat(leavesOut("slow", 1)).isTrue();
    assertThat(leavesOut("slow", 4)).isFalse();
    assertThat(leavesOut("other", 1)).isFalse();
    live.addAll(Set.of("rest", "merged slow"));
    skipIndex.announce(List.of("copy"), List.of("rest"), tokens(3), false);
    skipIndex.inherit(Map.of("slow", tokens(1)), "merged slow");
    live.removeAll(Set.of("copy"));
    restart();
    assertThat(leavesOut("slow", 2)).isTrue();
    assertThat(leavesOut("slow", 3)).as("dropped").isFalse();
    assertThat(leavesOut("merged slow", 1)).isTrue();
    assertThat(leavesOut("merged slow", 2)).isFalse();
    live.remove("rest");
    assertThat(leavesOut("slow", 2)).isFalse();
  }

  @Test
  void withoutTheCopyNothingIsUsed() {
    skipIndex.add(Map.of("slow", tokens(1)), List.of("copy"));
    live.remove("copy");
    restart();
    assertThat(skipIndex.size()).isZero();
    skipIndex.add(Map.of("slow", tokens(2)), List.of("slow"));
    restart();
    assertThat(leavesOut("slow", 1)).isFalse();
    assertThat(leavesOut("slow", 2)).isTrue();
  }

  @Test
  void aCompactionThatLeftNothingVouchesForNothing() {
    skipIndex.add(Map.of("slow", tokens(1)), List.of("copy"));
    skipIndex.announce(List.of("copy"), List.of(), SortedTokenSet.of(), false);
    live.remove("copy");
    restart();
    assertThat(skipIndex.size()).isZero();
  }

  @Test
  void namesThatMayComeAgainAreNotKept() {
    live.addAll(Set.of("sequential slow", "sequential copy"));
    skipIndex.add(Map.of("sequential slow", tokens(1)), List.of("copy"));
    skipIndex.add(Map.of("slow", tokens(1)), List.of("sequential copy"));
    assertThat(leavesOut("slow", 1)).isTrue();
    restart();
    assertThat(skipIndex.size()).isZero();
  }

  @Test
  void whatWasForgottenStaysForgotten() {
    skipIndex.add(Map.of("slow", tokens(1)), List.of("copy"));
    skipIndex.clear();
    skipIndex.retain(live, id -> true);
    restart();
    assertThat(skipIndex.size()).isZero();
  }

  /** Wherever a crash tears the file, or a bit turns: what is used was there once. */
  @Test
  void aDamagedFileCostsSpeedOnly() throws IOException {
    skipIndex.add(Map.of("slow", tokens(1, 2)), List.of("copy"));
    skipIndex.add(Map.of("slow", tokens(3)), List.of("copy"));
    live.add("rest");
    skipIndex.announce(List.of("copy"), List.of("rest"), tokens(1), false);
    live.remove("copy");
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(3);
    for (int length = 0; length <= whole.length; length++) {
      byte[] torn = Arrays.copyOf(whole, length);
      if (random.nextBoolean() && length > 0) {
        int at = random.nextInt(length);
        torn[at] = (byte) (torn[at] ^ (1 << random.nextInt(8)));
      }
      Files.write(file, torn);
      restart();
      assertThat(leavesOut("slow", 1)).as("torn at %d", length).isFalse();
      skipIndex.add(Map.of("slow", tokens(7)), List.of("rest"));
      restart();
      assertThat(leavesOut("slow", 7)).as("written after a tear at %d", length).isTrue();
    }
    Files.write(file, whole);
    restart();
    assertThat(leavesOut("slow", 2)).isTrue();
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void copiesAreCopiesAfterARestartAsLongAsTheirSourcesAreThere() {
    live.addAll(Set.of("other slow", "other copy", "both copies"));
    skipIndex.add(Map.of("slow", tokens(1)), List.of("copy"));
    skipIndex.add(Map.of("other slow", tokens(2)), List.of("other copy"));
    restart();
    assertThat(skipIndex.copies()).containsExactlyInAnyOrder("copy", "other copy");
    skipIndex.announce(List.of("copy", "other copy"), List.of("both copies"), tokens(1), true);
    live.removeAll(Set.of("copy", "other copy"));
    live.add("merged slow");
    skipIndex.announce(List.of("slow"), List.of("merged slow"), SortedTokenSet.of(), false);
    live.remove("slow");
    restart();
    assertThat(skipIndex.sourcesOf(List.of("both copies")))
        .contains(Set.of("merged slow", "other slow"));
    live.remove("merged slow"); // while the node is down
    restart();
    assertThat(skipIndex.copies()).isEmpty();
  }

  @Test
  void withoutTheFileNothingIsACopy() throws IOException {
    skipIndex.add(Map.of("slow", tokens(1)), List.of("copy"));
    Files.delete(file);
    restart();
    assertThat(skipIndex.copies()).isEmpty();
  }

  @Test
  void keysAreForTheOwnersEyesOnly() throws IOException {
    skipIndex.add(Map.of("slow", tokens(1)), List.of("copy"));
    assertThat(Files.getPosixFilePermissions(file))
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    assertThat(Files.getPosixFilePermissions(file.getParent()))
        .doesNotContain(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_EXECUTE);
  }

  /** A read may wait for the monitor of rows, so nobody who holds it may wait for a disk. */
  @Test
  void noReadWaitsForTheDiskThatTheLogIsOn() throws Exception {
    CountDownLatch diskAnswers = new CountDownLatch(1);
    CountDownLatch diskIsAsked = new CountDownLatch(1);
    SkipIndexLog<String> slowLog =
        new SkipIndexLog<>(
            file,
            name -> {
              diskIsAsked.countDown();
              Uninterruptibles.awaitUninterruptibly(diskAnswers);
              return name;
            },
            () -> nanoTime);
    skipIndex =
        new SkipIndex<>(
            () -> 100_000_000, () -> Set.copyOf(live), moment -> moment, Optional.of(slowLog));
    Thread writer =
        new Thread(() -> skipIndex.add(Map.of("slow", tokens(1)), List.of("copy")), "writer");
    writer.start();
    assertThat(diskIsAsked.await(1, TimeUnit.MINUTES)).isTrue();
    live.add("flushed");
    Boolean skippable =
        CompletableFuture.supplyAsync(() -> leavesOut("slow", 1)).get(1, TimeUnit.MINUTES);
    assertThat(skippable).isTrue();
    diskAnswers.countDown();
    writer.join();
  }

  @Test
  void theFileIsRewrittenAndLosesNothing() throws IOException {
    int most = 0;
    for (int round = 0; round < 40; round++) {
      String copy = "copy" + round;
      live.add(copy);
      int from = round * 2_000;
      int[] some = IntStream.range(from, from + 2_000).toArray();
      skipIndex.add(Map.of("slow", tokens(some)), List.of(copy));
      skipIndex.retain(live, id -> true);
      most = Math.max(most, (int) Files.size(file));
    }
    // Most rows are forgotten; the file shrinks, and what comes while it does is kept.
    skipIndex.clear();
    skipIndex.add(Map.of("slow", tokens(1)), List.of("copy1"));
    skipIndex.retain(live, id -> true);
    assertThat(Files.size(file)).isLessThan(most / 2);
    skipIndex.add(Map.of("slow", tokens(5)), List.of("copy2"));
    restart();
    assertThat(leavesOut("slow", 1)).isTrue();
    assertThat(leavesOut("slow", 5)).isTrue();
    assertThat(skipIndex.size()).isEqualTo(2);
  }

  @Test
  void aDiskThatIsFullWhenTheFileIsRewrittenCostsSpeedOnly() throws IOException {
    Path next = file.resolveSibling("k.t.copies.new");
    Files.createSymbolicLink(next, Path.of("/dev/full"));
    for (int round = 0; Files.exists(file); round++) {
      assertThat(round).as("rounds without a rewrite").isLessThan(100);
      int from = round * 2_000;
      skipIndex.add(
          Map.of("slow", tokens(IntStream.range(from, from + 2_000).toArray())), List.of("copy"));
      skipIndex.retain(live, id -> true);
    }
    assertThat(leavesOut("slow", 1)).isTrue();
    assertThat(next).doesNotExist();
    skipIndex.retain(live, id -> true);
    assertThat(file).as("not tried at once").doesNotExist();
    nanoTime += TimeUnit.MINUTES.toNanos(1);
    skipIndex.retain(live, id -> true);
    restart();
    assertThat(leavesOut("slow", 1)).as("all is written, once the disk takes it").isTrue();
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsNoObstacle() throws IOException {
    Files.createDirectories(dir.resolve("heat"));
    file = dir.resolve("heat/k.t.copies/none");
    Files.write(dir.resolve("heat/k.t.copies"), new byte[0]);
    restart();
    skipIndex.add(Map.of("slow", tokens(1)), List.of("copy"));
    assertThat(leavesOut("slow", 1)).isTrue();
    skipIndex.retain(live, id -> true);
  }

  private static Map<String, SortedTokenSet> fromMany(int token) {
    return IntStream.rangeClosed(0, SkipIndexRecords.FEW_SOURCES)
        .boxed()
        .collect(Collectors.toMap(i -> "slow " + i, i -> tokens(token)));
  }

  @Test
  void manySourcesAreWrittenOnce() throws IOException {
    for (int i = 0; i <= SkipIndexRecords.FEW_SOURCES; i++) {
      live.add("slow " + i);
    }
    Set<String> copies = new HashSet<>();
    skipIndex.add(fromMany(1), List.of("copy"));
    long before = Files.size(file);
    for (int i = 0; i < 50; i++) {
      String next = "copy " + i;
      live.add(next);
      copies.add(next);
      skipIndex.announce(List.of("copy"), List.of(next), tokens(), true);
    }
    assertThat((Files.size(file) - before) / 50).isLessThan(150);
    copies.add("copy");
    for (int restarts = 0; restarts < 2; restarts++) {
      restart();
      assertThat(skipIndex.copies()).isEqualTo(copies);
      assertThat(skipIndex.sourcesOf(copies)).hasValueSatisfying(of -> assertThat(of).hasSize(65));
    }
    live.add("another");
    skipIndex.announce(List.of("copy"), List.of("another"), tokens(), true);
    live.add("successor");
    live.remove("slow 7");
    skipIndex.announce(List.of("slow 7"), List.of("successor"), tokens(), false);
    live.add("last");
    skipIndex.announce(List.of("copy"), List.of("last"), tokens(), true);
    copies.addAll(Set.of("another", "last"));
    restart();
    assertThat(skipIndex.copies()).isEqualTo(copies);
    live.remove("slow 8");
    restart();
    assertThat(skipIndex.copies()).isEmpty();
  }

  @Test
  void copiesOfManySourcesAreNotKnownWhereASourceHasNoName() {
    for (int i = 0; i <= SkipIndexRecords.FEW_SOURCES; i++) {
      live.add("slow " + i);
    }
    skipIndex.add(fromMany(1), List.of("copy"));
    live.addAll(Set.of("sequential 1", "second", "third"));
    Map<String, SortedTokenSet> more = new HashMap<>(fromMany(2));
    more.put("sequential 1", tokens(2));
    skipIndex.add(more, List.of("second"));
    skipIndex.announce(List.of("second"), List.of("third"), tokens(), true);
    assertThat(skipIndex.copies()).containsExactlyInAnyOrder("copy", "second", "third");
    restart();
    assertThat(skipIndex.copies()).doesNotContain("second", "third");
  }
}
