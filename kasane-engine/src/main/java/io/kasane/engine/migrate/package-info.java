/* SPDX-License-Identifier: Apache-2.0 */
/** Moves rows between engines and SSTables, behind what tables do. */
package io.kasane.engine.migrate;
