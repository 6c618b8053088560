/* SPDX-License-Identifier: Apache-2.0 */
/** Programs to read and to run: what an application does with read-atomic transactions. */
package io.kasane.examples;
