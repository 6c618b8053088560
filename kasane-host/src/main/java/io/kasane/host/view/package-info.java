/* SPDX-License-Identifier: Apache-2.0 */
/** What operators see: metrics in Cassandra's registry, tables in {@code kasane_views}. */
package io.kasane.host.view;
