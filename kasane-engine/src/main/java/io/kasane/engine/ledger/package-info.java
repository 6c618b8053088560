/* SPDX-License-Identifier: Apache-2.0 */
/** Which tables may have rows in an engine, whatever the schema and the settings say. */
package io.kasane.engine.ledger;
