/* SPDX-License-Identifier: Apache-2.0 */
/** The answer to what is hot: how warm a key is, by a list of keys or by what is known of each. */
package io.kasane.heat.hotset;
