/* SPDX-License-Identifier: Apache-2.0 */
/** Which replicas coordinators read from: what this node tells others of itself. */
package io.kasane.host.route;
