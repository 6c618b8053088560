/* SPDX-License-Identifier: Apache-2.0 */
/** Read-atomic gets and puts over a store of versions: RAMP-Fast, RAMP-Small and RAMP-Hybrid. */
package io.kasane.ramp.protocol;
