/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import io.kasane.host.refuse.HostException;

/**
 * A part of Kasane that starts with the node. Found with {@link java.util.ServiceLoader}, so that
 * the wall need not know who stands behind it.
 */
public interface NodeExtension {

  /**
   * Called once, on the node's start thread, before the schema is loaded.
   *
   * @throws HostException to keep the node from starting
   */
  void start(KasaneHost host);
}
