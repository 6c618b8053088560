/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a storage engine has to do, and no more: ordered byte keys, atomic batches, snapshots. All
 * that rows mean (deletions, time stamps, schemas) is above it.
 */
package io.kasane.engine.spi;
