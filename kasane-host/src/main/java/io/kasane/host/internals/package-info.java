/* SPDX-License-Identifier: Apache-2.0 */
/** What Cassandra tells nobody by an interface of its own: its callers, open SSTables, nodetool. */
package io.kasane.host.internals;
