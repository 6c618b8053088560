/* SPDX-License-Identifier: Apache-2.0 */
/** Keeps a directory one node's, and in use by one process. */
package io.kasane.host.claim;
