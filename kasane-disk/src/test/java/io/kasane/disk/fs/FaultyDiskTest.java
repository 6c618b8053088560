/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.disk.Devices;
import io.kasane.disk.Layout;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import javax.management.ObjectName;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults are set over JMX, as in a process that knows nothing of them. */
class FaultyDiskTest {
  private static final long ALL = -1;
  private static final String EIO = "Input/output error";
  private static final String ENOSPC = "No space left on device";

  @TempDir private Path real;
  private Path disk;
  private Path other;
  private Path notModelled;

  @BeforeEach
  void openDisks() throws IOException {
    Path layout = real.resolve("disks.properties");
    new Layout(List.of(entry("faulty"), entry("other")), 0).write(layout);
    System.setProperty(Devices.LAYOUT_PROPERTY, layout.toString());
    ModelledProvider provider = new ModelledProvider(FileSystems.getDefault().provider());
    notModelled = provider.getPath(real.toUri());
    disk = notModelled.resolve("faulty");
    other = notModelled.resolve("other");
    Files.writeString(disk.resolve("old"), "content");
  }

  private Layout.Entry entry(String name) throws IOException {
    Path directory = Files.createDirectory(real.resolve(name));
    return new Layout.Entry(name, directory, "ssd-sata", 1 << 20, 1, 1000);
  }

  @AfterEach
  void forget() throws Exception {
    System.clearProperty(Devices.LAYOUT_PROPERTY);
    ManagementFactory.getPlatformMBeanServer().unregisterMBean(bean("faulty"));
    ManagementFactory.getPlatformMBeanServer().unregisterMBean(bean("other"));
  }

  private static ObjectName bean(String disk) throws Exception {
    return new ObjectName("io.kasane.disk:type=Disk,name=" + disk);
  }

  private static Object invoke(String operation, String[] types, Object... arguments)
      throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .invoke(bean("faulty"), operation, arguments, types);
  }

  private static long fail(String requests, String files, long first, long count, String error)
      throws Exception {
    String[] types = {"java.lang.String", "java.lang.String", "long", "long", "java.lang.String"};
    return (Long) invoke("addFault", types, requests, files, first, count, error);
  }

  private static void clear() throws Exception {
    invoke("clearFaults", new String[0]);
  }

  private static List<String> requests(long fault) throws Exception {
    return List.of((String[]) invoke("describeRequests", new String[] {"long"}, fault));
  }

  private static long count(String operation, long fault) throws Exception {
    return (Long) invoke(operation, new String[] {"long"}, fault);
  }

  private static void requireFailed(ThrowingCallable request, String words) {
    assertThatThrownBy(request).isInstanceOf(IOException.class).hasMessageEndingWith(words);
  }

  @Test
  void shouldFailWritesHoweverTheyCome() throws Exception {
    long fault = fail("WRITE", ".*", 1, ALL, "ENOSPC");
    requireFailed(() -> Files.write(disk.resolve("a"), new byte[10]), ENOSPC);
    requireFailed(() -> Files.writeString(disk.resolve("b"), "b"), ENOSPC);
    try (OutputStream out = Files.newOutputStream(disk.resolve("c"))) {
      requireFailed(() -> out.write(1), ENOSPC);
    }
    try (FileChannel channel =
        FileChannel.open(disk.resolve("d"), StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      ByteBuffer bytes = ByteBuffer.allocate(10);
      requireFailed(() -> channel.write(bytes), ENOSPC);
      requireFailed(() -> channel.write(bytes, 5), ENOSPC);
      requireFailed(() -> channel.write(new ByteBuffer[] {bytes}), ENOSPC);
      requireFailed(() -> channel.truncate(0), ENOSPC);
      try (FileChannel source = FileChannel.open(disk.resolve("old"))) {
        requireFailed(() -> channel.transferFrom(source, 0, 5), ENOSPC);
      }
      assertThat(bytes.position()).isZero();
    }
    requireFailed(() -> Files.copy(disk.resolve("old"), disk.resolve("e")), ENOSPC);

    assertThat(count("failedRequests", fault)).isEqualTo(9);
    assertThat(requests(fault)).startsWith("WRITE a failed", "WRITE b failed", "WRITE c failed");
    try (var files = Files.list(real.resolve("faulty"))) {
      assertThat(files.filter(file -> !file.endsWith("old")))
          .allSatisfy(f -> assertThat(f).isEmptyFile());
    }
    assertThatCode(() -> Files.write(other.resolve("a"), new byte[10])).doesNotThrowAnyException();

    clear();
    Files.write(disk.resolve("a"), new byte[10]);
    assertThat(disk.resolve("a")).hasSize(10);
  }

  @Test
  void shouldFailReads() throws Exception {
    fail("READ", "old", 1, ALL, "EIO");
    requireFailed(() -> Files.readString(disk.resolve("old")), EIO);
    try (FileChannel channel = FileChannel.open(disk.resolve("old"));
        FileChannel target =
            FileChannel.open(
                other.resolve("t"), StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      ByteBuffer bytes = ByteBuffer.allocate(10);
      requireFailed(() -> channel.read(bytes), EIO);
      requireFailed(() -> channel.read(bytes, 1), EIO);
      requireFailed(() -> channel.read(new ByteBuffer[] {bytes}), EIO);
      requireFailed(() -> channel.transferTo(0, 5, target), EIO);
    }
    requireFailed(() -> Files.copy(disk.resolve("old"), other.resolve("copy")), EIO);
    assertThat(other.resolve("copy")).doesNotExist();
  }

  @Test
  void shouldFailSyncs() throws Exception {
    fail("SYNC", ".*", 2, 1, "EIO");
    try (FileChannel channel = FileChannel.open(disk.resolve("old"), StandardOpenOption.WRITE)) {
      channel.force(true);
      requireFailed(() -> channel.force(false), EIO);
      channel.force(true);
    }
  }

  @Test
  void shouldFailNewNames() throws Exception {
    Path directory = Files.createDirectories(disk.resolve("directory"));
    long fault = fail("CREATE", ".*", 1, ALL, "ENOSPC");
    assertThatThrownBy(() -> Files.writeString(disk.resolve("a"), "a"))
        .isExactlyInstanceOf(FileSystemException.class)
        .hasMessage(disk.resolve("a") + ": " + ENOSPC);
    requireFailed(() -> Files.createFile(disk.resolve("b")), ENOSPC);
    requireFailed(() -> Files.createDirectory(disk.resolve("c")), ENOSPC);
    requireFailed(() -> Files.createLink(disk.resolve("d"), disk.resolve("old")), ENOSPC);
    requireFailed(() -> Files.createSymbolicLink(disk.resolve("e"), disk.resolve("old")), ENOSPC);
    requireFailed(() -> Files.copy(disk.resolve("old"), disk.resolve("f")), ENOSPC);
    requireFailed(() -> Files.writeString(disk.resolve("old"), "empties it first"), ENOSPC);
    assertThat(count("matchedRequests", fault)).isEqualTo(7);
    assertThat(real.resolve("faulty/old")).hasContent("content");

    // What is there already is told so.
    Files.createDirectories(directory);
    assertThatThrownBy(() -> Files.createDirectory(directory))
        .isInstanceOf(FileAlreadyExistsException.class);
    Files.writeString(disk.resolve("old"), " and more", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> Files.newOutputStream(disk.resolve("g"), StandardOpenOption.WRITE))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(count("matchedRequests", fault)).isEqualTo(7);
  }

  @Test
  void shouldFailDeletions() throws Exception {
    fail("DELETE", ".*", 1, ALL, "EIO");
    requireFailed(() -> Files.delete(disk.resolve("old")), EIO);
    requireFailed(() -> Files.deleteIfExists(disk.resolve("old")), EIO);
    assertThat(Files.deleteIfExists(disk.resolve("none"))).isFalse();
    assertThat(disk.resolve("old")).exists();
  }

  @Test
  void shouldFailRenamesFromAndToItsDisk() throws Exception {
    long fault = fail("RENAME", "old|new", 1, ALL, "EIO");
    Files.writeString(other.resolve("new"), "new");
    requireFailed(() -> Files.move(disk.resolve("old"), disk.resolve("x")), EIO);
    requireFailed(
        () ->
            Files.move(
                disk.resolve("old"), notModelled.resolve("x"), StandardCopyOption.ATOMIC_MOVE),
        EIO);
    requireFailed(() -> Files.move(other.resolve("new"), disk.resolve("new")), EIO);
    assertThatThrownBy(() -> Files.move(disk.resolve("none"), disk.resolve("new")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(requests(fault)).hasSize(3).startsWith("RENAME old -> x failed");
    assertThat(disk.resolve("old")).exists();
    assertThat(other.resolve("new")).exists();
  }
}
