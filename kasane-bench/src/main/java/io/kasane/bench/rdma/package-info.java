/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The experiment {@code kasane bench rdma}: transactions over a store in memory, by sockets, by
 * messages that are written into the peer's memory, and by reads that ask nobody.
 *
 * <p>Source: Murata, Kawashima, Tatebe, 2016, figures 4 to 7.
 */
package io.kasane.bench.rdma;
