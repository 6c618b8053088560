/* SPDX-License-Identifier: Apache-2.0 */
/** Keys of any length on engines that take short ones only. */
package io.kasane.engine.trie;
