/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sstables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.DataOutputStream;
import java.io.IOError;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.cassandra.io.util.ChecksumWriter;
import org.junit.jupiter.api.Test;

class ChecksumWriteFailureTest {
  private final ChecksumWriter checksums =
      new ChecksumWriter(
          new DataOutputStream(
              new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                  throw new IOException("Input/output error");
                }
              }));

  @Test
  void shouldKnowAChecksumThatCouldNotBeWritten() {
    Throwable thrown = catchThrowable(() -> checksums.appendDirect(ByteBuffer.allocate(8), true));
    assertThat(ChecksumWriteFailure.isIn(thrown)).isTrue();
    assertThat(ChecksumWriteFailure.isIn(new IllegalStateException(thrown))).isTrue();
  }

  @Test
  void shouldNotTakeAFailedReadForIt() {
    Throwable read = new IOError(new IOException("Input/output error"));
    assertThat(ChecksumWriteFailure.isIn(read)).isFalse();
    assertThat(ChecksumWriteFailure.isIn(new IOException("Input/output error"))).isFalse();
  }
}
