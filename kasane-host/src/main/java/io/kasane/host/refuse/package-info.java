/* SPDX-License-Identifier: Apache-2.0 */
/** Refuses a setting, a start or a Cassandra of another line, in words for an operator. */
package io.kasane.host.refuse;
