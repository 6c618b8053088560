/* SPDX-License-Identifier: Apache-2.0 */
/** What the protocol asks of whoever keeps the versions. */
package io.kasane.ramp.store;
