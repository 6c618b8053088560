/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.fs;

import static io.kasane.disk.fs.ModelledPath.real;

import io.kasane.disk.Device;
import io.kasane.disk.DeviceChannel;
import io.kasane.disk.Devices;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/**
 * Makes modelled disks part of the default file system: {@code
 * -Djava.nio.file.spi.DefaultFileSystemProvider=io.kasane.disk.fs.ModelledProvider
 * -Dkasane.disks=FILE}, where the file is a {@link io.kasane.disk.Layout}. The program above needs
 * no change, as long as it uses {@link java.nio.file}.
 *
 * <p>Reads and writes of files take the time of the model. Names (create, rename, delete, list) are
 * free. Where a disk has faults, requests of either kind fail, see {@link
 * io.kasane.disk.DiskMXBean#addFault}.
 */
public final class ModelledProvider extends FileSystemProvider {
  private final FileSystemProvider real;
  private final FileSystem realFileSystem;
  private final ModelledFileSystem fileSystem;
  private final NameFaults nameFaults = new NameFaults(this::deviceOf);
  private Devices devices;

  /** Called by the Java runtime with the provider that would be the default one otherwise. */
  public ModelledProvider(FileSystemProvider real) {
    this.real = real;
    this.realFileSystem = real.getFileSystem(URI.create("file:///"));
    this.fileSystem = new ModelledFileSystem(this, realFileSystem);
  }

  private Optional<Device> deviceOf(Path realPath) {
    return devices().of(realPath);
  }

  /** Opened on first use: in the constructor, the runtime has no default file system yet. */
  private synchronized Devices devices() {
    if (devices == null) {
      devices = Devices.configured(realFileSystem);
    }
    return devices;
  }

  @Override
  public String getScheme() {
    return real.getScheme();
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
    return real.newFileSystem(uri, env);
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    real.getFileSystem(uri); // which refuses any other
    return fileSystem;
  }

  @Override
  public Path getPath(URI uri) {
    return fileSystem.wrap(real.getPath(uri));
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path realPath = real(path);
    Optional<Device> device = deviceOf(realPath);
    if (device.isEmpty()) {
      return real.newFileChannel(realPath, options, attributes);
    }
    nameFaults.beforeOpen(realPath, options);
    FileChannel channel = real.newFileChannel(realPath, options, attributes);
    return new DeviceChannel(channel, realPath, device.get(), fileId(realPath));
  }

  /** Tells a file apart from others, whatever its names. */
  private long fileId(Path realPath) throws IOException {
    return real.readAttributes(realPath, BasicFileAttributes.class).fileKey().hashCode();
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return deviceOf(real(path)).isPresent()
        ? newFileChannel(path, options, attributes)
        : real.newByteChannel(real(path), options, attributes);
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    if (deviceOf(real(path)).isPresent()) {
      throw new UnsupportedOperationException(
          path + " lies on a modelled disk, which serves no asynchronous channels");
    }
    return real.newAsynchronousFileChannel(real(path), options, executor, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path dir, DirectoryStream.Filter<? super Path> filter) throws IOException {
    DirectoryStream<Path> stream =
        real.newDirectoryStream(real(dir), path -> filter.accept(fileSystem.wrap(path)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> paths = stream.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return paths.hasNext();
          }

          @Override
          public Path next() {
            return fileSystem.wrap(paths.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }

  @Override
  public void createDirectory(Path dir, FileAttribute<?>... attributes) throws IOException {
    nameFaults.beforeCreate(real(dir));
    real.createDirectory(real(dir), attributes);
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    nameFaults.beforeCreate(real(link));
    real.createSymbolicLink(real(link), real(target), attributes);
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    nameFaults.beforeCreate(real(link));
    real.createLink(real(link), real(existing));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return fileSystem.wrap(real.readSymbolicLink(real(link)));
  }

  @Override
  public void delete(Path path) throws IOException {
    if (!deleteIfExists(path)) {
      throw new NoSuchFileException(path.toString());
    }
  }

  @Override
  public boolean deleteIfExists(Path path) throws IOException {
    Path realPath = real(path);
    nameFaults.beforeDelete(realPath);
    long freedBytes = forget(realPath);
    boolean deleted = real.deleteIfExists(realPath);
    if (deleted) {
      deviceOf(realPath).ifPresent(device -> device.space().shrink(freedBytes));
    }
    return deleted;
  }

  /**
   * The next file may get the same id. Other names of this one then find it on disk only.
   *
   * @return the bytes that its deletion frees
   */
  private long forget(Path realPath) {
    Optional<Device> device = deviceOf(realPath);
    if (device.isEmpty()) {
      return 0;
    }
    try {
      device.get().forget(fileId(realPath));
      Map<String, Object> file =
          real.readAttributes(realPath, "unix:nlink,size,isRegularFile", LinkOption.NOFOLLOW_LINKS);
      boolean frees = file.get("nlink").equals(1) && file.get("isRegularFile").equals(true);
      return frees ? (Long) file.get("size") : 0;
    } catch (IOException e) {
      return 0; // There is none, which the caller is told.
    }
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    nameFaults.beforeCopy(real(source), real(target));
    real.copy(real(source), real(target), options);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    nameFaults.beforeMove(real(source), real(target));
    real.move(real(source), real(target), options);
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return real.isSameFile(real(one), real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return real.isHidden(real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    FileStore store = real.getFileStore(real(path));
    return deviceOf(real(path))
        .<FileStore>map(device -> new ModelledFileStore(device, store))
        .orElse(store);
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    real.checkAccess(real(path), modes);
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return real.getFileAttributeView(real(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return real.readAttributes(real(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return real.readAttributes(real(path), attributes, options);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    real.setAttribute(real(path), attribute, value, options);
  }
}
