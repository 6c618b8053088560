/* SPDX-License-Identifier: Apache-2.0 */
/** What heat tracking costs, and how close its hot sets come to the best possible ones. */
package io.kasane.bench.heat;
