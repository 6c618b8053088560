/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import io.kasane.heat.sim.Trace;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.tukaani.xz.XZInputStream;

/** Traces of real accesses: big-endian ints, one a key, compressed or not. */
public final class TraceFiles {
  private TraceFiles() {}

  /** Reads a {@code .trace} or {@code .trace.xz} file. */
  public static Trace read(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(".xz")) {
      return Trace.read(file);
    }
    try (InputStream in = new XZInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      return Trace.read(name.replace(".trace.xz", ""), in);
    }
  }
}
