/* SPDX-License-Identifier: Apache-2.0 */
/** Clients of the protocol on replicas as Cassandra has them, in virtual time, from one seed. */
package io.kasane.ramp.sim;
