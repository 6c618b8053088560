/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** A client's connection to one server, for one request after the other, of one thread. */
abstract class Link implements Closeable {
  /** A server that is silent for longer has gone. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private boolean isForgotten;

  /** An empty buffer for the next request; waits for an answer that nobody wanted. */
  final ByteBuffer begin() throws IOException {
    awaitForgotten();
    return buffer();
  }

  final void awaitForgotten() throws IOException {
    if (isForgotten) {
      isForgotten = false;
      receive();
    }
  }

  abstract ByteBuffer buffer();

  /** Sends what is in the buffer. */
  abstract void send() throws IOException;

  /**
   * Waits for the answer, which is there until the next request.
   *
   * @throws IOException if none comes in time, or the server has gone
   */
  abstract ByteBuffer receive() throws IOException;

  /** Nobody wants the answer to the request that was sent. */
  final void forget() {
    isForgotten = true;
  }
}
