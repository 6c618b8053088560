/* SPDX-License-Identifier: Apache-2.0 */
/** Versions in memory: what an application's unit tests run on in the place of Cassandra. */
package io.kasane.ramp.memory;
