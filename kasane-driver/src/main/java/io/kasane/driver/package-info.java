/* SPDX-License-Identifier: Apache-2.0 */
/** Whom the Apache driver asks in a cluster of several kinds of replicas. */
package io.kasane.driver;
