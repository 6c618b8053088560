/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastDiskLedgerTest {
  @TempDir private Path root;
  private Path slow;
  private Path fast;

  @BeforeEach
  void firstStart() throws IOException {
    slow = Files.createDirectory(root.resolve("slow"));
    fast = Files.createDirectory(root.resolve("fast"));
    start();
  }

  @AfterEach
  void clearProperty() {
    System.clearProperty(FastDiskLedger.ACCEPT_LOSS_PROPERTY);
  }

  private void start() {
    FastDiskLedger.open(slow).verify(List.of(fast), List.of(slow, fast));
  }

  @Test
  void theSameDiskIsKnownAgain() throws IOException {
    String id = Files.readString(fast.resolve(FastDiskLedger.MARKER));
    start();
    assertThat(Files.readString(fast.resolve(FastDiskLedger.MARKER))).isEqualTo(id);
  }

  @Test
  void anUnmountedDiskIsRefusedUntilTheLossIsAccepted() throws IOException {
    Files.delete(fast.resolve(FastDiskLedger.MARKER));
    assertThatThrownBy(this::start)
        .isInstanceOf(HostException.class)
        .hasMessageContaining(fast.toString())
        .hasMessageContaining("not to be mounted")
        .hasMessageContaining(FastDiskLedger.ACCEPT_LOSS_PROPERTY);

    System.setProperty(FastDiskLedger.ACCEPT_LOSS_PROPERTY, "true");
    start();
    System.clearProperty(FastDiskLedger.ACCEPT_LOSS_PROPERTY);
    start();
  }

  @Test
  void anotherNodesDiskIsRefused() throws IOException {
    Files.writeString(fast.resolve(FastDiskLedger.MARKER), "somebody-else");
    assertThatThrownBy(this::start).hasMessageContaining("belongs to another node");
  }

  @Test
  void aDiskTakenOutOfTheListWithRowsOnItIsRefused() throws IOException {
    Path table = Files.createDirectories(fast.resolve("ks/t-1"));
    Files.createFile(table.resolve("nb-1-big-Data.db"));
    assertThatThrownBy(() -> FastDiskLedger.open(slow).verify(List.of(), List.of(slow)))
        .hasMessageContaining("relocatesstables");
    FastDiskLedger.open(slow).verify(List.of(), List.of(slow, fast));
  }

  @Test
  void anEmptiedDiskMayGo() {
    FastDiskLedger.open(slow).verify(List.of(), List.of(slow));
    FastDiskLedger.open(slow).verify(List.of(), List.of(slow));
  }
}
