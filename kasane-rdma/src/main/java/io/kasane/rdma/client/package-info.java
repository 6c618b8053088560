/* SPDX-License-Identifier: Apache-2.0 */
/** Connections to such processes, each of one table. */
package io.kasane.rdma.client;
