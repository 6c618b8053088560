/* SPDX-License-Identifier: Apache-2.0 */

/** The subcommands of {@code kasane}: they parse, call what starts and asks nodes, and print. */
package io.kasane.cli.command;
