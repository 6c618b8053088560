/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.wire;

import java.io.IOException;

/** What came over a connection is no frame: whoever sent it is not to be believed any more. */
public final class MalformedFrameException extends IOException {
  private static final long serialVersionUID = 1;

  MalformedFrameException(String message) {
    super(message);
  }
}
