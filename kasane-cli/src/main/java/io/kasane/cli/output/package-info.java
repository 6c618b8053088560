/* SPDX-License-Identifier: Apache-2.0 */
/** How commands print: tables of text for people, JSON for programs. */
package io.kasane.cli.output;
