/* SPDX-License-Identifier: Apache-2.0 */
/** One run of one system: its disks, its node, its data, its load, and what was seen. */
package io.kasane.bench.lab;
