/* SPDX-License-Identifier: Apache-2.0 */
/** Storage engines behind Cassandra's tables. */
package io.kasane.engine;
