/* SPDX-License-Identifier: Apache-2.0 */
/** First rounds answered from the shared memory of a node on the same host. */
package io.kasane.ramp.cql.arena;
