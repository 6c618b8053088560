/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The message buffers of a client and its server, in a file in shared memory.
 *
 * @param requests which the client writes
 * @param replies which the server writes
 */
public record Ring(MessageBuffer requests, MessageBuffer replies) {
  /** Maps it; zeros, if the file is new. */
  public static Ring map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * Wire.MAX_BYTES);
      return new Ring(
          new MessageBuffer(memory.slice(0, Wire.MAX_BYTES)),
          new MessageBuffer(memory.slice(Wire.MAX_BYTES, Wire.MAX_BYTES)));
    }
  }
}
