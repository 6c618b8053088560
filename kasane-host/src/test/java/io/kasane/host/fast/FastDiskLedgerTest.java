/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.host.claim.DirectoryClaim;
import io.kasane.host.claim.NodeId;
import io.kasane.host.refuse.HostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastDiskLedgerTest {
  @TempDir private Path root;
  private Path slow;
  private Path fast;
  private Path away;
  private String id;
  private final List<DirectoryClaim> claims = new ArrayList<>();

  @BeforeEach
  void firstStart() throws IOException {
    slow = Files.createDirectory(root.resolve("slow"));
    fast = Files.createDirectory(root.resolve("fast"));
    away = root.resolve("away");
    start();
    id = idOf(fast);
  }

  @AfterEach
  void clearProperty() {
    endProcess();
    System.clearProperty(FastDiskLedger.ACCEPT_LOSS_PROPERTY);
  }

  private void start() {
    start(List.of(fast), List.of(slow, fast));
  }

  /** The process before has ended. */
  private void start(List<Path> fast, List<Path> data) {
    endProcess();
    NodeId node = new NodeId(data, fast);
    FastDiskLedger.open(data)
        .verify(
            fast,
            (directory, marks) ->
                claims.add(DirectoryClaim.take(directory, node, "fast_directories", marks)));
  }

  private void endProcess() {
    claims.forEach(DirectoryClaim::close);
    claims.clear();
  }

  private static String idOf(Path directory) throws IOException {
    return Files.readString(directory.resolve(FastDiskLedger.MARKER));
  }

  private void requireRefused(List<Path> fastNow, List<Path> data, String... words) {
    assertThatThrownBy(() -> start(fastNow, data))
        .isInstanceOf(HostException.class)
        .hasMessageContainingAll(words);
  }

  private static void accept(String value) {
    System.setProperty(FastDiskLedger.ACCEPT_LOSS_PROPERTY, value);
  }

  private static Path addSSTable(Path dataDirectory) throws IOException {
    Path table = Files.createDirectories(dataDirectory.resolve("ks/t-1"));
    return Files.createFile(table.resolve("nb-1-big-Data.db"));
  }

  private void unmount() throws IOException {
    Files.move(fast, away);
    Files.createDirectory(fast);
  }

  private void mount() throws IOException {
    Files.delete(fast);
    Files.move(away, fast);
  }

  @Test
  void theSameDiskIsKnownAgain() throws IOException {
    start();
    assertThat(idOf(fast)).isEqualTo(id);
  }

  @Test
  void aMissingDiskIsRefusedUntilItsOwnLossIsAccepted() throws IOException {
    unmount();
    List<Path> both = List.of(slow, fast);
    requireRefused(
        List.of(fast),
        both,
        fast.toString(),
        "not to be mounted",
        "nodetool repair",
        "-Dkasane.accept_fast_loss=" + id);
    accept("true");
    requireRefused(List.of(fast), both, "=" + id + " (now it is 'true'");
    accept("3f0c2f60-0000-0000-0000-000000000000");
    requireRefused(List.of(fast), both, "=" + id + " (now it is '3f0c2f60-");
    assertThat(fast.resolve(FastDiskLedger.MARKER)).doesNotExist();

    accept(id);
    start();
    String next = idOf(fast);
    assertThat(next).isNotEqualTo(id);
    start();
    Files.delete(fast.resolve(FastDiskLedger.MARKER));
    requireRefused(List.of(fast), both, "=" + next + " (now it is '" + id + "'");
  }

  @Test
  void anOptionThatNamesADiskThatIsThereIsRefused() {
    accept(id);
    requireRefused(List.of(fast), List.of(slow, fast), fast.toString(), "Take the option out");
    accept("true");
    start();
  }

  @Test
  void anotherNodesDiskIsRefused() throws IOException {
    Files.writeString(fast.resolve(FastDiskLedger.MARKER), "somebody-else");
    requireRefused(
        List.of(fast), List.of(slow, fast), "belongs to another node", "accept_fast_loss=" + id);
  }

  @Test
  void aMissingDiskIsNotForgottenWhenTheSettingIsLostToo() throws IOException {
    addSSTable(fast);
    unmount();
    requireRefused(
        List.of(),
        List.of(slow, fast),
        "not to be mounted",
        "fast_directories of kasane.yaml (now [])",
        "=" + id);
    requireRefused(List.of(), List.of(slow), "not to be mounted", "data_file_directories");
    Files.delete(fast);
    requireRefused(List.of(), List.of(slow), "not to be mounted");
    Files.createDirectory(fast);
    requireRefused(List.of(fast), List.of(slow, fast), "not to be mounted");
    mount();
    start();
    assertThat(idOf(fast)).isEqualTo(id);
  }

  @Test
  void aMissingDiskThatIsNoLongerListedMayBeAccepted() throws IOException {
    unmount();
    accept(id);
    start(List.of(), List.of(slow));
    System.clearProperty(FastDiskLedger.ACCEPT_LOSS_PROPERTY);
    start(List.of(), List.of(slow));
    start();
    assertThat(idOf(fast)).isNotEqualTo(id);
  }

  @Test
  void aDiskTakenOutOfTheListWithRowsOnItIsRefused() throws IOException {
    addSSTable(fast);
    requireRefused(List.of(), List.of(slow), "relocatesstables", "accept_fast_loss=" + id);
    accept(id);
    start(List.of(), List.of(slow));
  }

  @Test
  void aDiskThatCassandraStillReadsIsKeptInMind() throws IOException {
    Path sstable = addSSTable(fast);
    start(List.of(), List.of(slow, fast));
    unmount();
    requireRefused(List.of(), List.of(slow, fast), "not to be mounted", "=" + id);
    mount();
    accept(id);
    requireRefused(List.of(), List.of(slow, fast), "Take the option out");
    System.clearProperty(FastDiskLedger.ACCEPT_LOSS_PROPERTY);
    Files.delete(sstable);
    start(List.of(), List.of(slow, fast));
    unmount();
    start(List.of(), List.of(slow, fast));
  }

  @Test
  void anEmptiedDiskMayGoAndComeBack() throws IOException {
    start(List.of(), List.of(slow));
    start(List.of(), List.of(slow));
    unmount();
    start(List.of(), List.of(slow));
    start();
    assertThat(idOf(fast)).isNotEqualTo(id);
  }

  @Test
  void onlySnapshotsAndBackupsOfATableDoNotCount() throws IOException {
    Path table = Files.createDirectories(fast.resolve("ks/t-1"));
    for (String copy : List.of("snapshots/before", "backups")) {
      Path below = Files.createDirectories(table.resolve(copy));
      Files.createFile(below.resolve("nb-1-big-Data.db"));
    }
    assertThat(SSTableFiles.areBelow(fast)).isFalse();
    Path keyspace = Files.createDirectories(fast.resolve("snapshots/t-2"));
    Files.createFile(keyspace.resolve("da-1-bti-Data.db"));
    assertThat(SSTableFiles.areBelow(fast)).isTrue();
  }

  @Test
  void aDirectoryBehindALinkOrBelowSnapshotsIsSearchedToo() throws IOException {
    Path real = Files.createDirectories(root.resolve("ks/t/snapshots/fast"));
    Path link = Files.createSymbolicLink(root.resolve("link"), real);
    assertThat(SSTableFiles.areBelow(link)).isFalse();
    addSSTable(real);
    assertThat(SSTableFiles.areBelow(real)).isTrue();
    assertThat(SSTableFiles.areBelow(link)).isTrue();
  }

  @Test
  void aDiskMountedElsewhereIsTheSameDisk() throws IOException {
    addSSTable(fast);
    Path other = root.resolve("other");
    Files.move(fast, other);
    start(List.of(other), List.of(slow, other));
    assertThat(idOf(other)).isEqualTo(id);
    Files.move(other, fast);
    requireRefused(List.of(other), List.of(slow, other), other + " has no", "not to be mounted");
  }

  /** The other node has data of its own, and the same fast directory. */
  private List<Path> dataOfAnother() {
    return List.of(root.resolve("slow of another"), fast);
  }

  @Test
  void aDirectoryOfAnotherNodeIsRefusedAndNotRemembered() throws IOException {
    addSSTable(fast);
    List<Path> another = dataOfAnother();
    requireRefused(
        List.of(fast),
        another,
        fast + " belongs to another node",
        "'" + Files.readString(slow.resolve(NodeId.FILE)) + "'",
        "Correct fast_directories",
        "delete "
            + fast.resolve(DirectoryClaim.OWNER)
            + " and "
            + fast.resolve(".kasane-fast-disk"));
    assertThat(idOf(fast)).isEqualTo(id);
    assertThat(another.get(0)).doesNotExist();
    start(List.of(), List.of(another.get(0)));
    start();

    Files.delete(fast.resolve(DirectoryClaim.OWNER));
    Files.delete(fast.resolve(FastDiskLedger.MARKER));
    start(List.of(fast), another);
    assertThat(idOf(fast)).isNotEqualTo(id);
    requireRefused(List.of(fast), List.of(slow, fast), "belongs to another node", "=" + id);
  }

  @Test
  void aDirectoryInUseIsRefused() throws IOException {
    addSSTable(fast);
    List<DirectoryClaim> running = List.copyOf(claims);
    claims.clear();
    requireRefused(List.of(fast), List.of(slow, fast), fast + " is in use", "fast_directories");
    running.forEach(DirectoryClaim::close);
    start();
  }

  @Test
  void aDiskMarkedBeforeMarksHadOwnersIsWhoseLedgerHasIt() throws IOException {
    Path owner = fast.resolve(DirectoryClaim.OWNER);
    Path sstable = addSSTable(fast);
    Files.delete(owner);
    Files.delete(slow.resolve(NodeId.FILE));
    requireRefused(
        List.of(fast),
        dataOfAnother(),
        fast + " holds SSTables",
        "'" + id + "'",
        "delete " + fast.resolve(FastDiskLedger.MARKER));
    assertThat(owner).doesNotExist();

    start();
    assertThat(idOf(fast)).isEqualTo(id);
    assertThat(owner).hasSameTextualContentAs(slow.resolve(NodeId.FILE));

    // One that was emptied and forgotten may come back, or go to another node.
    Files.delete(owner);
    Files.delete(sstable);
    start(List.of(fast), dataOfAnother());
    assertThat(owner).hasSameTextualContentAs(dataOfAnother().get(0).resolve(NodeId.FILE));
  }

  @Test
  void nothingIsMadeOnADiskThatIsNotThere() throws IOException {
    unmount();
    requireRefused(List.of(fast), List.of(slow, fast), "not to be mounted");
    assertThat(fast).isEmptyDirectory();
  }

  @Test
  void theFastDiskDoesNotKeepItsOwnRecord() throws IOException {
    Path first = Files.createDirectory(root.resolve("first"));
    start(List.of(first), List.of(first, slow));
    addSSTable(first);
    start(List.of(), List.of(first, slow));
    Files.move(first, away);
    Files.createDirectory(first);
    requireRefused(List.of(first), List.of(first, slow), "not to be mounted");
  }

  @Test
  void theRecordIsFoundWhenDirectoriesChangePlaces() throws IOException {
    Path second = Files.createDirectory(root.resolve("second"));
    start(List.of(fast), List.of(second, slow, fast));
    assertThat(second.resolve(FastDiskLedger.LEDGER)).exists();
    assertThat(slow.resolve(FastDiskLedger.LEDGER)).doesNotExist();
    unmount();
    requireRefused(List.of(fast), List.of(slow, second, fast), "not to be mounted");
  }
}
