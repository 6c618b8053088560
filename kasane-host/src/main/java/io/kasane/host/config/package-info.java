/* SPDX-License-Identifier: Apache-2.0 */
/** The settings of {@code kasane.yaml}, read once. */
package io.kasane.host.config;
