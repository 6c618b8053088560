/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shows the state of the engines over CQL and JMX. A query never waits for an engine: it gets the
 * last known values.
 */
package io.kasane.engine.view;
