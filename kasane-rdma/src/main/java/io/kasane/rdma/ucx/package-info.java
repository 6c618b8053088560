/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Active messages and one-sided reads of OpenUCX, where its libraries are: over memory, TCP or
 * InfiniBand.
 */
package io.kasane.rdma.ucx;
