/* SPDX-License-Identifier: Apache-2.0 */
/** Hot rows compacted sooner: the figures of Kawanami, Kawashima and Matsuo, beside stock. */
package io.kasane.bench.compact;
