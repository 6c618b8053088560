/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Some items of a collection.
 *
 * @param items in the order of their bytes; may be fewer than were wanted at most, also where more
 *     follow
 * @param next what was wanted and is not among them; empty where nothing is left
 */
public record RampPage<I, V>(Map<I, V> items, Optional<RampRange<I>> next) {
  /** Takes a copy. */
  public RampPage {
    items = Collections.unmodifiableMap(new LinkedHashMap<>(items));
  }
}
