/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.driver;

import com.datastax.oss.driver.api.core.config.DriverOption;

/** What {@link KindsLoadBalancingPolicy} is told in the driver's configuration. */
public enum KindsOption implements DriverOption {
  /** Racks whose nodes are asked last: a list of names, case and all as nodes have them. */
  AVOIDED_RACKS("basic.load-balancing-policy.avoided-racks");

  private final String path;

  KindsOption(String path) {
    this.path = path;
  }

  @Override
  public String getPath() {
    return path;
  }
}
