/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.ArrayList;
import java.util.List;

/**
 * Records which rows stop being skippable while another thread still works with the old state.
 * Guarded by its owner.
 */
final class Invalidations {
  private final List<Watch> watches = new ArrayList<>();

  /** What was withdrawn since somebody began to look. */
  static final class Watch {
    private final List<SortedTokenSet> tokens = new ArrayList<>();
    private boolean ofAll;

    private Watch() {}

    /** Takes out of {@code found} what was withdrawn; returns false if that is all. */
    boolean leavesSomeOf(SortedTokenSet found) {
      if (!ofAll) {
        tokens.forEach(found::removeAll);
      }
      return !ofAll;
    }
  }

  Watch watch() {
    Watch watch = new Watch();
    watches.add(watch);
    return watch;
  }

  void end(Watch watch) {
    watches.remove(watch);
    watch.tokens.forEach(SortedTokenSet::close);
  }

  void of(SortedTokenSet tokens) {
    watches.forEach(watch -> watch.tokens.add(tokens.share()));
  }

  void ofAll() {
    watches.forEach(watch -> watch.ofAll = true);
  }
}
