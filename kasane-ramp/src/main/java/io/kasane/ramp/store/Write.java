/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Version;

/**
 * A version on its way to the store.
 *
 * @param key what it is a version of
 * @param version whole
 */
public record Write(ItemKey key, Version version) {}
