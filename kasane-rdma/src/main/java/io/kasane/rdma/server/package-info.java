/* SPDX-License-Identifier: Apache-2.0 */
/** The process beside a node: reads arenas for those who were admitted. */
package io.kasane.rdma.server;
