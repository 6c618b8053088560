/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A parent and all its children, as they were at one moment.
 *
 * @param parent the parent's row
 * @param children rows by key, in the order of the keys' bytes
 * @param <P> parents
 * @param <C> keys of children
 * @param <V> children
 */
public record Family<P, C, V>(P parent, Map<C, V> children) {
  /** Takes a copy. */
  public Family {
    Objects.requireNonNull(parent);
    children = Collections.unmodifiableMap(new LinkedHashMap<>(children));
  }
}
