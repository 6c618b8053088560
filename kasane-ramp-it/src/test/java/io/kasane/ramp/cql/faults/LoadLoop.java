/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

/** What one user does over and over. */
interface LoadLoop {
  /** One transaction; returns also when it failed. */
  void step();
}
