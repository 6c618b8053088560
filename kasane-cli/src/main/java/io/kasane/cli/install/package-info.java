/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Puts Kasane into an installed Cassandra, and takes it out again, as a plan that can be read
 * first.
 */
package io.kasane.cli.install;
