/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A client, as its server sees it: it waits for an answer before it asks again. */
interface Caller {
  /** An empty buffer for the next reply. */
  ByteBuffer reply();

  /** Sends what is in the buffer. */
  void send() throws IOException;
}
