/* SPDX-License-Identifier: Apache-2.0 */
/** Goes through tables of versions for what clients that died left. */
package io.kasane.ramp.cql.collect;
