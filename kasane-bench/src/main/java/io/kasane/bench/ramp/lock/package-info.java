/* SPDX-License-Identifier: Apache-2.0 */
/** A lock service for two-phase locking: one server, reached over sockets. */
package io.kasane.bench.ramp.lock;
