/* SPDX-License-Identifier: Apache-2.0 */
/** Admission: decides which rows are copied to fast after a read found them on slow. */
package io.kasane.tier.admission;
