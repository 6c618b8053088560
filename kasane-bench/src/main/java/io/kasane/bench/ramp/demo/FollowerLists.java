/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.demo;

import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.SeenValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Who follows whom, twice: in the list of whom each person follows, and in the list of each
 * person's followers. Each pair of people is one entry of either, and both change together.
 */
final class FollowerLists {
  private static final List<String> PEOPLE = List.of("ada", "grace", "edsger", "barbara");

  private static final byte[] FOLLOWS = "yes".getBytes(StandardCharsets.UTF_8);
  private static final byte[] DOES_NOT = "no".getBytes(StandardCharsets.UTF_8);

  private FollowerLists() {}

  /** How many pairs of people there are. */
  static int pairs() {
    return PEOPLE.size() * (PEOPLE.size() - 1);
  }

  /** The entries of a pair: of whom the first follows, and of the second one's followers. */
  static int[] entries(int pair) {
    return new int[] {2 * pair, 2 * pair + 1};
  }

  static byte[] entry(boolean follows) {
    return follows ? FOLLOWS : DOES_NOT;
  }

  /** What is odd about a pair's entries, if they say different things. */
  static Optional<String> contradiction(int pair, Reading reading) {
    Boolean[] says = new Boolean[2];
    for (SeenValue seen : reading.values()) {
      says[seen.key() % 2] = seen.value().payload().length == FOLLOWS.length;
    }
    if (says[0] == null || says[1] == null || says[0].equals(says[1])) {
      return Optional.empty();
    }
    String who = PEOPLE.get(pair / (PEOPLE.size() - 1));
    int other = pair % (PEOPLE.size() - 1);
    String whom = PEOPLE.get(other < PEOPLE.indexOf(who) ? other : other + 1);
    return Optional.of(
        says[0]
            ? "%s follows %s, but is not among the followers of %s".formatted(who, whom, whom)
            : "%s has the follower %s, who does not follow %s".formatted(whom, who, whom));
  }
}
