/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import java.time.Instant;

/**
 * What a node tells of the process beside it to a client that may read a table.
 *
 * @param token that admits to the table
 * @param expires when another token is needed
 */
public record Admission(String host, int port, String token, Instant expires) {}
