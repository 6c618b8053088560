/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the operations of a history, one after the other. Not thread-safe. */
public final class HistoryReader implements AutoCloseable {
  private final BufferedReader lines;

  private HistoryReader(BufferedReader lines) {
    this.lines = lines;
  }

  /** From the first operation on. */
  public static HistoryReader open(Path operations) throws IOException {
    return new HistoryReader(Files.newBufferedReader(operations, StandardCharsets.US_ASCII));
  }

  /** The next operation, or null at the end. */
  public Operation next() throws IOException {
    String line = lines.readLine();
    return line == null ? null : Operation.parse(line);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
