/* SPDX-License-Identifier: Apache-2.0 */

/** Reads what a node with Kasane shows of itself: the virtual keyspace {@code kasane_views}. */
package io.kasane.node.views;
