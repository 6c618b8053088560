/* SPDX-License-Identifier: Apache-2.0 */
/** Clients of the paper's store, and the transaction systems over it. */
package io.kasane.bench.rdma.client;
