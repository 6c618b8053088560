/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What is hot? A bounded access tracker, the policies that turn its counts into a hot set, and the
 * log that carries them over a restart. Plain Java: no Cassandra, no wall clock, no threads of its
 * own.
 */
package io.kasane.heat;
