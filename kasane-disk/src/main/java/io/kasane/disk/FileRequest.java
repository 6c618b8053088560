/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** What a program asks of a file, or of the name of one. */
public enum FileRequest {
  /** Bytes are read, or sent elsewhere. */
  READ,
  /** Bytes are written, or the end of the file is moved. */
  WRITE,
  /** What was written is forced to the disk. */
  SYNC,
  /** A file, directory or link gets its name, or a file is emptied as it is opened. */
  CREATE,
  /** A name goes. */
  DELETE,
  /** A name becomes another one. */
  RENAME;

  /** Returns the exception that the JDK gives where this fails for a reason that it only prints. */
  IOException failure(String path, String other, String reason) {
    return switch (this) {
      case READ, WRITE, SYNC -> new IOException(reason);
      case CREATE, DELETE, RENAME -> new FileSystemException(path, other, reason);
    };
  }
}
