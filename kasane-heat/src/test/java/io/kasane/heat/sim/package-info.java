/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Replays access traces against the tracker and its exact oracles, in seconds and without a node.
 */
package io.kasane.heat.sim;
