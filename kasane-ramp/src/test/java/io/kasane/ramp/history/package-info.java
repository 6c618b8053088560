/* SPDX-License-Identifier: Apache-2.0 */
/** What clients did, as text that isolation checkers read, and a checker of our own. */
package io.kasane.ramp.history;
