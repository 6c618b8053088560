/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

/** Something that a node writes, again and again. Called in this order. */
interface Operation {
  /** Makes it ready to be asked for, while the disk is whole. */
  void prepare() throws Exception;

  /** Asks for it; fails if the node, or its client, may not fail although the disk does. */
  void ask() throws Exception;

  /** Whether all was written that it writes on a whole disk. Asked several times a second. */
  boolean isDone() throws Exception;

  /** Fails unless clients are served well on the disk that fails. */
  void requireService(String when) throws Exception;

  /** Waits until the operation works on the disk, which is whole again. */
  void awaitRecovery(String when) throws Exception;
}
