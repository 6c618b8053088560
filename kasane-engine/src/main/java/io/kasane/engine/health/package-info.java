/* SPDX-License-Identifier: Apache-2.0 */
/**
 * When an engine fails, hangs or is full, only work that needs this engine stops. All other work
 * goes on.
 */
package io.kasane.engine.health;
