/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultTest {
  private static final Path DISK = Path.of("/disk");

  private final Faults faults = new Faults(DISK);

  private long add(String kinds, String files, long first, long count, String error) {
    return faults.add(Fault.parse(kinds, files, first, count, error));
  }

  private boolean fails(FileRequest kind, String file) {
    try {
      faults.check(kind, DISK.resolve(file));
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void shouldFailFromTheNthRequestThatMatchesForSoManyOfThem() {
    long fault = add("WRITE,SYNC", "k/.*-Data\\.db", 2, 2, "EIO");

    assertThat(fails(FileRequest.WRITE, "k/1-Data.db")).isFalse();
    assertThat(fails(FileRequest.WRITE, "k/1-Index.db")).as("another file").isFalse();
    assertThat(fails(FileRequest.READ, "k/1-Data.db")).as("another request").isFalse();
    assertThat(fails(FileRequest.WRITE, "also/k/1-Data.db")).as("a part of the path").isFalse();
    assertThat(fails(FileRequest.SYNC, "k/1-Data.db")).isTrue();
    assertThat(fails(FileRequest.WRITE, "k/2-Data.db")).isTrue();
    assertThat(fails(FileRequest.WRITE, "k/2-Data.db")).isFalse();

    assertThat(faults.get(fault).matched()).isEqualTo(4);
    assertThat(faults.get(fault).failed()).isEqualTo(2);
    assertThat(faults.get(fault).requests())
        .containsExactly(
            "WRITE k/1-Data.db",
            "SYNC k/1-Data.db failed",
            "WRITE k/2-Data.db failed",
            "WRITE k/2-Data.db");
  }

  @Test
  void shouldCountOnlyOrFailUntilCleared() {
    long counting = add("WRITE", ".*", 1, 0, "EIO");
    assertThat(fails(FileRequest.WRITE, "a")).isFalse();
    long failing = add("WRITE", ".*", 2, -1, "EIO");
    for (int i = 0; i < 10; i++) {
      assertThat(fails(FileRequest.WRITE, "a")).isEqualTo(i > 0);
    }
    assertThat(faults.get(counting).matched()).isEqualTo(11);
    assertThat(faults.get(counting).failed()).isZero();
    assertThat(faults.get(failing).failed()).isEqualTo(9);

    faults.clear();

    assertThat(fails(FileRequest.WRITE, "a")).isFalse();
    assertThat(faults.areSet()).isFalse();
    assertThatThrownBy(() -> faults.get(failing)).hasMessageContaining("fault 2 is not set");
  }

  @Test
  void shouldFailInTheWordsOfTheJdk() {
    add("WRITE", ".*", 1, -1, "ENOSPC");
    add("WRITE,CREATE,RENAME", ".*", 1, -1, "EIO");

    assertThatThrownBy(() -> faults.check(FileRequest.WRITE, DISK.resolve("a")))
        .as("the first fault decides")
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("No space left on device");
    assertThatThrownBy(() -> faults.check(FileRequest.CREATE, DISK.resolve("a")))
        .isExactlyInstanceOf(FileSystemException.class)
        .hasMessage("/disk/a: Input/output error");
    assertThatThrownBy(() -> faults.checkRename(DISK.resolve("a"), Path.of("/other/b")))
        .isExactlyInstanceOf(FileSystemException.class)
        .hasMessage("/disk/a -> /other/b: Input/output error");
  }

  @Test
  void shouldKnowARenamedFileByEitherName() {
    add("RENAME", "b", 1, -1, "EIO");
    assertThatThrownBy(() -> faults.checkRename(DISK.resolve("a"), DISK.resolve("b")))
        .isInstanceOf(FileSystemException.class);
    assertThatThrownBy(() -> faults.checkRename(DISK.resolve("b"), DISK.resolve("c")))
        .isInstanceOf(FileSystemException.class);
  }

  @Test
  void shouldRememberSoManyRequestsAndCountAll() {
    long fault = add("WRITE", ".*", 1, 0, "EIO");
    for (int i = 0; i < Fault.REMEMBERED_REQUESTS + 5; i++) {
      assertThat(fails(FileRequest.WRITE, "a")).isFalse();
    }
    assertThat(faults.get(fault).requests()).hasSize(Fault.REMEMBERED_REQUESTS);
    assertThat(faults.get(fault).matched()).isEqualTo(Fault.REMEMBERED_REQUESTS + 5);
  }

  @Test
  void shouldFailSoManyOfThoseThatManyThreadsAskFor() throws Exception {
    long fault = add("WRITE", ".*", 100, 50, "EIO");
    AtomicInteger failed = new AtomicInteger();
    Callable<Void> writer =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            if (fails(FileRequest.WRITE, "a")) {
              failed.incrementAndGet();
            }
          }
          return null;
        };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Callable<Void>> writers = IntStream.range(0, 4).mapToObj(i -> writer).toList();
    for (Future<Void> done : threads.invokeAll(writers)) {
      done.get();
    }
    threads.shutdown();

    assertThat(failed).hasValue(50);
    assertThat(faults.get(fault).matched()).isEqualTo(4_000);
    assertThat(faults.get(fault).failed()).isEqualTo(50);
  }

  @Test
  void shouldRefuseWhatMakesNoSense() {
    assertThatThrownBy(() -> add("WRITES", ".*", 1, 1, "EIO"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'WRITES'", "SYNC");
    assertThatThrownBy(() -> add("WRITE", ".*", 1, 1, "EROFS"))
        .hasMessageContainingAll("'EROFS'", "ENOSPC");
    assertThatThrownBy(() -> add("WRITE", ".*", 0, 1, "EIO")).hasMessageContaining("first is 0");
    assertThatThrownBy(() -> add("WRITE", ".*", 1, -2, "EIO")).hasMessageContaining("count is -2");
    assertThatThrownBy(() -> add("WRITE", "*", 1, 1, "EIO"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> add("READ,WRITE", ".*", 1, 1, "ENOSPC"))
        .hasMessageContaining("no READ fails so");
    assertThat(faults.areSet()).isFalse();
  }
}
