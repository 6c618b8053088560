/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.VersionStore;
import java.util.Set;

/** Makes clients that keep some of the rules only, for tests of other packages. */
public final class RampClients {
  private RampClients() {}

  /** A client that keeps these rules. */
  public static RampClient create(
      VersionStore store, RampOptions options, Environment environment, Set<Rule> rules) {
    return new RampClient(store, options, environment, rules);
  }
}
