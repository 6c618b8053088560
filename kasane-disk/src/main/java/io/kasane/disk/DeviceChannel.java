/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * A file on a modelled disk: the real file holds the bytes, the model decides when they are there.
 *
 * <p>Mapping is refused, since a model cannot see which pages are touched.
 */
public final class DeviceChannel extends FileChannel {
  private final FileChannel file;
  private final Path path;
  private final Device device;
  private final ReadAhead readAhead;
  private final WriteBack writeBack;

  /**
   * Wraps an open file.
   *
   * @param path its real one; faults know the file by it even after it was renamed
   * @param fileId tells the file apart from others of the disk, whatever its name
   */
  public DeviceChannel(FileChannel file, Path path, Device device, long fileId) {
    this.file = file;
    this.path = path;
    this.device = device;
    this.readAhead = new ReadAhead(device, fileId);
    this.writeBack = new WriteBack(device, fileId);
  }

  private void check(FileRequest kind) throws IOException {
    device.faults().check(kind, path);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    check(FileRequest.READ);
    long since = System.nanoTime();
    int bytes = file.read(target, position);
    waitForRead(position, bytes, since);
    return bytes;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    check(FileRequest.READ);
    long position = file.position();
    long since = System.nanoTime();
    int bytes = file.read(target);
    waitForRead(position, bytes, since);
    return bytes;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    check(FileRequest.READ);
    long position = file.position();
    long since = System.nanoTime();
    long bytes = file.read(targets, offset, length);
    waitForRead(position, bytes, since);
    return bytes;
  }

  private void waitForRead(long position, long bytes, long since) throws IOException {
    if (bytes > 0) {
      readAhead.read(position, bytes, file.size(), since);
    }
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    check(FileRequest.WRITE);
    long since = System.nanoTime();
    takeRoom(position, source.remaining());
    int bytes = file.write(source, position);
    writeBack.write(position, bytes, since);
    return bytes;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    check(FileRequest.WRITE);
    long since = System.nanoTime();
    takeRoom(file.position(), source.remaining());
    int bytes = file.write(source);
    writeBack.write(file.position() - bytes, bytes, since); // an appending channel moves first
    return bytes;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    check(FileRequest.WRITE);
    long since = System.nanoTime();
    long remaining = 0;
    for (int i = offset; i < offset + length; i++) {
      remaining += sources[i].remaining();
    }
    takeRoom(file.position(), remaining);
    long bytes = file.write(sources, offset, length);
    writeBack.write(file.position() - bytes, bytes, since);
    return bytes;
  }

  private void takeRoom(long position, long bytes) throws IOException {
    long growth = position + bytes - file.size();
    if (growth > 0) {
      device.space().grow(growth, path);
    }
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    check(FileRequest.READ);
    long since = System.nanoTime();
    long bytes = file.transferTo(position, count, target);
    waitForRead(position, bytes, since);
    return bytes;
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    check(FileRequest.WRITE);
    long since = System.nanoTime();
    takeRoom(position, count);
    long bytes = file.transferFrom(source, position, count);
    if (bytes > 0) {
      writeBack.write(position, bytes, since);
    }
    return bytes;
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException(
        path
            + " lies on a modelled disk, which cannot be mapped into memory. In cassandra.yaml, set"
            + " 'disk_access_mode: standard', and put the commit log on a disk that is not modelled.");
  }

  @Override
  public void force(boolean metaData) throws IOException {
    check(FileRequest.SYNC);
    writeBack.flush(System.nanoTime()); // the real file need not survive a power cut
  }

  @Override
  protected void implCloseChannel() throws IOException {
    writeBack.flushLater();
    file.close();
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    file.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    check(FileRequest.WRITE);
    file.truncate(size);
    return this;
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return file.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return file.tryLock(position, size, shared);
  }
}
