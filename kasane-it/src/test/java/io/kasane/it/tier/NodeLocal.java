/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import com.datastax.oss.driver.api.core.ConsistencyLevel;

/** Cassandra's level for debugging: the node asked answers from its own rows alone. */
public enum NodeLocal implements ConsistencyLevel {
  INSTANCE;

  @Override
  public int getProtocolCode() {
    return 11;
  }

  @Override
  public boolean isDcLocal() {
    return true;
  }

  @Override
  public boolean isSerial() {
    return false;
  }
}
