/* SPDX-License-Identifier: Apache-2.0 */
/** Controllers: when copying pays and how much of it, plain objects that go by what was read. */
package io.kasane.copies.control;
