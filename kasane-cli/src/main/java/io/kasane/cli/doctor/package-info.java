/* SPDX-License-Identifier: Apache-2.0 */

/** Looks at a machine before a node is started on it, and says what to change. */
package io.kasane.cli.doctor;
