/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.wire;

import java.util.Optional;
import java.util.stream.Stream;

/** How a client is served once it is admitted; each has all that those before it have. */
public enum Service {
  /** Requests and answers on the connection itself. */
  TCP(0x4B_41_53_41_52_44_4D_32L), // KASARDM2
  /** Requests and answers by OpenUCX. */
  MESSAGES(0x4B_41_53_41_52_55_43_32L), // KASARUC2
  /** And the arena's memory by OpenUCX, which the server does not hear of. */
  MEMORY(0x4B_41_53_41_52_4D_45_32L); // KASARME2

  private final long magic;

  Service(long magic) {
    this.magic = magic;
  }

  /** Whether it needs OpenUCX. */
  public boolean isByUcx() {
    return this != TCP;
  }

  long magic() {
    return magic;
  }

  static Optional<Service> of(long magic) {
    return Stream.of(values()).filter(service -> service.magic == magic).findFirst();
  }
}
