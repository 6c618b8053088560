/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli;

/**
 * A command that another jar adds to the command line: a picocli command, found by {@link
 * java.util.ServiceLoader}.
 */
public interface CommandExtension {}
