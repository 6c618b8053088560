/* SPDX-License-Identifier: Apache-2.0 */
/** One page about one table: where its rows lie, what that gains, what to do. */
package io.kasane.cli.report;
