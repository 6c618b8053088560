/* SPDX-License-Identifier: Apache-2.0 */

/** The subcommands of {@code kasane}: they parse, call the classes above, and print. */
package io.kasane.node.cli;
