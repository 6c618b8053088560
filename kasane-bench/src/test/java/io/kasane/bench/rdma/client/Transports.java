/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.rdma.ucx.UcxSupport;
import java.util.Arrays;
import java.util.stream.Stream;

/** The transports of the store in memory; that of OpenUCX where its libraries are. */
final class Transports {
  private Transports() {}

  static Stream<Transport> here() {
    return Arrays.stream(Transport.values())
        .filter(Transport::isOfStores)
        .filter(transport -> !transport.isByUcx() || UcxSupport.whyNot().isEmpty());
  }
}
