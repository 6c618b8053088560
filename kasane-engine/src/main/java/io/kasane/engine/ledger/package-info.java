/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A file that records which tables may have rows in which engine. It is right even after ALTER
 * TABLE or a change of cassandra.yaml.
 */
package io.kasane.engine.ledger;
