/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.fs;

import io.kasane.disk.Device;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;

/** A modelled disk as Java sees it: its size is the model's. */
final class ModelledFileStore extends FileStore {
  private final Device device;
  private final FileStore real;

  ModelledFileStore(Device device, FileStore real) {
    this.device = device;
    this.real = real;
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public String type() {
    return "modelled";
  }

  @Override
  public boolean isReadOnly() {
    return real.isReadOnly();
  }

  @Override
  public long getTotalSpace() {
    return device.space().capacityBytes();
  }

  @Override
  public long getUsableSpace() {
    return Math.max(0, device.space().capacityBytes() - device.space().usedBytes());
  }

  @Override
  public long getUnallocatedSpace() {
    return getUsableSpace();
  }

  @Override
  public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
    return real.supportsFileAttributeView(type);
  }

  @Override
  public boolean supportsFileAttributeView(String name) {
    return real.supportsFileAttributeView(name);
  }

  @Override
  public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
    return real.getFileStoreAttributeView(type);
  }

  @Override
  public Object getAttribute(String attribute) throws IOException {
    return switch (attribute) {
      case "totalSpace" -> getTotalSpace();
      case "usableSpace" -> getUsableSpace();
      case "unallocatedSpace" -> getUnallocatedSpace();
      default -> real.getAttribute(attribute);
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ModelledFileStore store && store.device == device;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(device);
  }

  @Override
  public String toString() {
    return device.name() + " (modelled)";
  }
}
