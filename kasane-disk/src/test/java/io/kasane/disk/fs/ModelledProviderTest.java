/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.disk.DeviceChannel;
import io.kasane.disk.Devices;
import io.kasane.disk.Layout;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.management.Attribute;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelledProviderTest {
  private static final int MIB = 1 << 20;
  private static final ObjectName BEAN = bean();

  /** Fast enough that no test waits. */
  private static final double FASTER = 1000;

  @TempDir private Path real;
  private ModelledProvider provider;
  private Path disk;

  private static ObjectName bean() {
    try {
      return new ObjectName("io.kasane.disk:type=Disk,name=slow");
    } catch (javax.management.MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void openDisk() throws IOException {
    Path directory = Files.createDirectory(real.resolve("slow"));
    Path layout = real.resolve("disks.properties");
    new Layout(List.of(new Layout.Entry("slow", directory, "hdd-7200", 8 * MIB, 1, FASTER)), 0)
        .write(layout);
    open(layout, directory);
  }

  private void open(Path layout, Path directory) {
    System.setProperty(Devices.LAYOUT_PROPERTY, layout.toString());
    provider = new ModelledProvider(FileSystems.getDefault().provider());
    disk = provider.getPath(directory.toUri());
  }

  @AfterEach
  void forget() throws Exception {
    System.clearProperty(Devices.LAYOUT_PROPERTY);
    if (ManagementFactory.getPlatformMBeanServer().isRegistered(BEAN)) {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(BEAN);
    }
  }

  private static byte[] content(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  private static long sum(String attribute) throws Exception {
    Object value = ManagementFactory.getPlatformMBeanServer().getAttribute(BEAN, attribute);
    return ((javax.management.openmbean.TabularData) value)
        .values().stream()
            .map(javax.management.openmbean.CompositeData.class::cast)
            .mapToLong(row -> (Long) row.get("value"))
            .sum();
  }

  @Test
  void shouldReturnWhatWasWritten() throws IOException {
    Path file = disk.resolve("a");
    Files.write(file, content(3 * MIB));

    assertThat(Files.readAllBytes(file)).isEqualTo(content(3 * MIB));
    assertThat(Files.readAllBytes(real.resolve("slow/a"))).isEqualTo(content(3 * MIB));
  }

  @Test
  void shouldWriteInLargePieces() throws Exception {
    try (FileChannel channel = open(disk.resolve("a"))) {
      for (int i = 0; i < 40; i++) {
        channel.write(ByteBuffer.wrap(content(MIB / 16)));
      }
      assertThat(sum("Writes")).isEqualTo(2);
      channel.force(true);
      assertThat(sum("Writes")).isEqualTo(3);
      channel.force(true);
      channel.write(ByteBuffer.wrap(content(10)));
    }

    assertThat(sum("Writes")).isEqualTo(4); // what is left at the end
    assertThat(sum("WrittenBytes")).isEqualTo(40 * MIB / 16 + 10);
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ);
  }

  @Test
  void shouldReadAheadOfASequentialReaderOnly() throws Exception {
    Path file = disk.resolve("a");
    Files.write(file, content(3 * MIB));
    int block = 16 << 10;
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(block);
      for (int i = 3 * MIB / block - 1; i > 0; i -= 8) {
        channel.read(buffer.clear(), (long) i * block);
      }
      assertThat(sum("Reads")).isEqualTo(24);
      assertThat(sum("ReadBytes")).isEqualTo(24L * block);

      for (int i = 0; i < 3 * MIB / block; i++) {
        channel.read(buffer.clear(), (long) i * block);
      }
    }

    assertThat(sum("ReadBytes")).isEqualTo(24L * block + 3 * MIB); // not past the end
    assertThat(sum("Reads")).isLessThan(24 + 12);
  }

  @Test
  void shouldReadFromMemoryWhatWasReadOrWrittenLately() throws Exception {
    Path directory = Files.createDirectory(real.resolve("remembered"));
    Path layout = real.resolve("memory.properties");
    new Layout(
            List.of(new Layout.Entry("slow", directory, "hdd-7200", 8 * MIB, 1, FASTER)), 2 * MIB)
        .write(layout);
    open(layout, directory);
    Files.write(disk.resolve("written"), content(MIB));
    Files.readAllBytes(disk.resolve("written"));
    assertThat(sum("Reads")).isZero();
    assertThat(sum("MemoryReads")).isPositive();

    Files.write(directory.resolve("old"), content(MIB)); // past the model: not in memory
    Files.readAllBytes(disk.resolve("old"));
    long reads = sum("Reads");
    assertThat(reads).isPositive();
    Files.readAllBytes(disk.resolve("old"));
    assertThat(sum("Reads")).isEqualTo(reads);

    Files.delete(disk.resolve("old"));
    Files.write(directory.resolve("old"), content(MIB)); // may be the same file to the kernel
    Files.readAllBytes(disk.resolve("old"));
    assertThat(sum("Reads")).isGreaterThan(reads);
  }

  @Test
  void shouldTakeNoTimeWhileItIsInstant() throws Exception {
    Path file = Files.write(disk.resolve("f"), content(MIB));
    var server = ManagementFactory.getPlatformMBeanServer();
    server.setAttribute(BEAN, new Attribute("Instant", true));
    long busyNanos = (Long) server.getAttribute(BEAN, "BusyNanos");
    long readBytes = sum("ReadBytes");

    assertThat(Files.readAllBytes(file)).isEqualTo(content(MIB));
    assertThat(server.getAttribute(BEAN, "BusyNanos")).isEqualTo(busyNanos);
    assertThat(sum("ReadBytes")).isGreaterThanOrEqualTo(readBytes + MIB);

    server.setAttribute(BEAN, new Attribute("Instant", false));
    assertThat(Files.readAllBytes(file)).isEqualTo(content(MIB));
    assertThat((Long) server.getAttribute(BEAN, "BusyNanos")).isGreaterThan(busyNanos);
  }

  @Test
  void shouldRefuseWhatDoesNotFit() throws IOException {
    Files.write(disk.resolve("a"), content(6 * MIB));
    assertThatThrownBy(() -> Files.write(disk.resolve("b"), content(3 * MIB)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left on device");

    Files.delete(disk.resolve("a"));
    Files.delete(disk.resolve("b"));
    Files.write(disk.resolve("b"), content(6 * MIB));
    assertThat(disk.resolve("b")).hasSize(6 * MIB);
  }

  @Test
  void shouldCountAFileWithTwoNamesOnce() throws IOException {
    Files.write(disk.resolve("a"), content(5 * MIB));
    Files.createLink(disk.resolve("snapshot"), disk.resolve("a"));

    Files.write(disk.resolve("b"), content(2 * MIB));

    assertThat(disk.resolve("b")).hasSize(2 * MIB);
  }

  @Test
  void shouldGiveBackTheRoomOfADeletedFileAtOnce() throws IOException {
    FileStore store = Files.getFileStore(disk);
    Files.write(disk.resolve("a"), content(5 * MIB));
    Files.write(disk.resolve("b"), content(2 * MIB));
    Files.createLink(disk.resolve("snapshot"), disk.resolve("a"));
    Files.delete(disk.resolve("a"));
    assertThat(store.getUsableSpace()).isEqualTo(MIB);
    Files.deleteIfExists(disk.resolve("b"));
    assertThat(store.getUsableSpace()).isEqualTo(3 * MIB);
    Files.deleteIfExists(disk.resolve("b"));
    Files.delete(disk.resolve("snapshot"));
    assertThat(store.getUsableSpace()).isEqualTo(8 * MIB);
  }

  @Test
  void shouldShowTheSizeOfTheDisk() throws IOException {
    FileStore store = Files.getFileStore(disk);

    assertThat(store.getTotalSpace()).isEqualTo(8 * MIB);
    assertThat(store.getUsableSpace()).isEqualTo(8 * MIB);
    assertThat(store).isEqualTo(Files.getFileStore(disk)).isNotEqualTo(Files.getFileStore(real));
    assertThat(Files.getFileStore(provider.getPath(real.toUri())))
        .isEqualTo(Files.getFileStore(real));
  }

  @Test
  void shouldRefuseToMap() throws IOException {
    Files.write(disk.resolve("a"), content(10));
    try (FileChannel channel = FileChannel.open(disk.resolve("a"))) {
      assertThatThrownBy(() -> channel.map(FileChannel.MapMode.READ_ONLY, 0, 10))
          .hasMessageContaining("disk_access_mode: standard");
    }
  }

  @Test
  void shouldLeaveOtherDirectoriesAlone() throws IOException {
    Path elsewhere = provider.getPath(real.toUri()).resolve("elsewhere");
    Files.write(elsewhere, content(10));

    try (FileChannel channel = FileChannel.open(elsewhere);
        FileChannel modelled = open(disk.resolve("a"))) {
      assertThat(channel).isNotInstanceOf(DeviceChannel.class);
      assertThat(modelled).isInstanceOf(DeviceChannel.class);
    }
  }

  @Test
  void shouldBehaveLikeTheRealPaths() throws IOException {
    Path deep = Files.createDirectories(disk.resolve("x/y"));
    Files.write(deep.resolve("a"), content(10));
    Files.move(deep.resolve("a"), deep.resolve("b"));

    try (var files = Files.walk(disk)) {
      assertThat(files.map(disk::relativize).map(Path::toString))
          .containsExactly("", "x", "x/y", "x/y/b");
    }
    assertThat(deep.getParent()).isEqualTo(disk.resolve("x")).hasSameHashCodeAs(disk.resolve("x"));
    assertThat(deep.startsWith(disk)).isTrue();
    assertThat(deep.toRealPath().getFileSystem()).isSameAs(disk.getFileSystem());
    assertThat(deep.toFile()).isDirectory();
    assertThat(Path.of(deep.toString())).isEqualTo(real.resolve("slow/x/y"));
  }

  @Test
  void shouldBecomeTheFileSystemOfAnUnchangedProgram() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.nio.file.spi.DefaultFileSystemProvider=" + ModelledProvider.class.getName(),
                "-D" + Devices.LAYOUT_PROPERTY + "=" + System.getProperty(Devices.LAYOUT_PROPERTY),
                "-cp",
                System.getProperty("java.class.path"),
                Unchanged.class.getName(),
                disk.resolve("out").toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(out).isZero();
    assertThat(out).contains("main=1");
    assertThat(real.resolve("slow/out")).hasSize(MIB);
  }

  /** Knows nothing of disks but how to ask the runtime what they did. */
  static final class Unchanged {
    private Unchanged() {}

    public static void main(String[] arguments) throws Exception {
      Files.write(Path.of(arguments[0]), new byte[MIB]);
      var writes =
          (javax.management.openmbean.TabularData)
              ManagementFactory.getPlatformMBeanServer().getAttribute(BEAN, "Writes");
      for (Object row : writes.values()) {
        var entry = (javax.management.openmbean.CompositeData) row;
        System.out.println(Map.entry(entry.get("key"), entry.get("value")));
      }
    }
  }
}
