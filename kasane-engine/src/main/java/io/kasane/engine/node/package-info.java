/* SPDX-License-Identifier: Apache-2.0 */
/** The engines of this node, and the tables that have rows in them. */
package io.kasane.engine.node;
