/* SPDX-License-Identifier: Apache-2.0 */
/** The {@code kasane} command itself, and how another jar adds to it. */
package io.kasane.cli;
