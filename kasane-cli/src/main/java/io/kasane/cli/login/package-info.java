/* SPDX-License-Identifier: Apache-2.0 */
/** How a command reaches a node of any cluster: address, user and password, TLS. */
package io.kasane.cli.login;
