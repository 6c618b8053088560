/* SPDX-License-Identifier: Apache-2.0 */
/** What Cassandra starts by name, the node as other modules see it, and how they start with it. */
package io.kasane.host;
