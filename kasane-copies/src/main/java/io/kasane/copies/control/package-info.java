/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Feedback controllers: from what was read, they decide whether a copy is worth its I/O and how
 * many rows may be copied.
 */
package io.kasane.copies.control;
