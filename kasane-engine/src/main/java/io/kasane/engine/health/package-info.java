/* SPDX-License-Identifier: Apache-2.0 */
/** Keeps an engine that fails, hangs or is full from holding up what does not need it. */
package io.kasane.engine.health;
