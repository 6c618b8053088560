/* SPDX-License-Identifier: Apache-2.0 */
/** What goes over a connection: frames. */
package io.kasane.rdma.wire;
