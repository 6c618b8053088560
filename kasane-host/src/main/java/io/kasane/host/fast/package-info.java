/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The fast data directories: which they are, that they are there, and that Kasane alone writes
 * there.
 */
package io.kasane.host.fast;
