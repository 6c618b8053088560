/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.arena.ArenaKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedKeysTest {
  private static final int DAMAGES = 2_000;

  @TempDir private Path dir;

  private static ArenaKey key(int... bytes) {
    ByteBuffer partition = ByteBuffer.allocate(bytes.length);
    Arrays.stream(bytes).forEach(each -> partition.put((byte) each));
    return ArenaKey.of(partition.flip(), ByteBuffer.allocate(0));
  }

  @Test
  void whatWasSavedIsLoadedInItsOrder() throws IOException {
    Path file = dir.resolve("kasane/a.keys");
    SavedKeys saved = new SavedKeys(file);
    assertThat(saved.load()).as("nothing yet").isEmpty();
    saved.save(List.of(key(3, 4), key(1)));
    saved.save(List.of(key(1), key(2, 200), key()));
    assertThat(saved.load())
        .containsExactly(
            ByteBuffer.wrap(new byte[] {1}),
            ByteBuffer.wrap(new byte[] {2, (byte) 200}),
            ByteBuffer.allocate(0));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    saved.delete();
    assertThat(file).doesNotExist();
    saved.delete();
  }

  @Test
  void aDamagedFileIsToldAndGivesNoKeys() throws IOException {
    Path file = dir.resolve("a.keys");
    SavedKeys saved = new SavedKeys(file);
    saved.save(List.of(key(1, 2, 3), key(4, 5), key(6)));
    byte[] right = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < DAMAGES; i++) {
      byte[] wrong =
          random.nextInt(4) == 0
              ? Arrays.copyOf(right, random.nextInt(right.length))
              : right.clone();
      if (wrong.length == right.length) {
        wrong[random.nextInt(wrong.length)] ^= (byte) (1 + random.nextInt(255));
      }
      Files.write(file, wrong);
      assertThatThrownBy(saved::load).isInstanceOf(IOException.class);
    }
  }
}
