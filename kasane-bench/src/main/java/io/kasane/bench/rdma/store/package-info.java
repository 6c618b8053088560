/* SPDX-License-Identifier: Apache-2.0 */
/** The paper's store: versions of keys in the memory of processes, over several transports. */
package io.kasane.bench.rdma.store;
