/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

/**
 * The fast disk at the moment of a pick.
 *
 * @param hasRoom whether it can take another SSTable and keep what compaction needs to work
 * @param roomBytes what the quota leaves; a compaction must not bring more fast bytes along, since
 *     its output lies beside its inputs until it ends
 * @param holdsColdRows whether clearly more lies there than the hot rows need
 * @param slowRoomBytes what the slow disk has left
 */
public record FastState(
    boolean hasRoom, long roomBytes, boolean holdsColdRows, long slowRoomBytes) {}
