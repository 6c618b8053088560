/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.version.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Histories of one transaction after the other are clean, and one change to them is caught. */
class SerialHistoryPropertyTest {
  private static final int KEYS = 6;

  private record Put(long number, Set<Long> keys) {}

  private static final class Get {
    final long session;
    final long[] keys;
    final long[] values;

    Get(long session, long[] keys, long[] values) {
      this.session = session;
      this.keys = keys;
      this.values = values;
    }
  }

  /** A serial run: what each transaction wrote, and what each read saw. */
  private static final class Run {
    final List<Put> puts = new ArrayList<>();
    final List<Get> gets = new ArrayList<>();
    final long[] state = new long[KEYS];

    Run(Random random) {
      for (int step = 0; step < 40; step++) {
        if (random.nextBoolean()) {
          Put put = new Put(puts.size() + 1, someKeys(random));
          put.keys().forEach(key -> state[(int) (long) key] = put.number());
          puts.add(put);
        } else {
          long[] keys = someKeys(random).stream().mapToLong(key -> key).toArray();
          long[] values = Arrays.stream(keys).map(key -> state[(int) key]).toArray();
          gets.add(new Get(random.nextInt(3), keys, values));
        }
      }
    }

    private static Set<Long> someKeys(Random random) {
      Set<Long> keys = new HashSet<>();
      int count = 2 + random.nextInt(3);
      while (keys.size() < count) {
        keys.add((long) random.nextInt(KEYS));
      }
      return keys;
    }

    HistoryReport check() {
      var checks = new TransactionChecks(TransactionChecks.all(), false);
      for (Put put : puts) {
        put.keys().forEach(key -> checks.wrote(put.number(), key));
        checks.timestamp(put.number(), new Timestamp(put.number(), 0));
        checks.acknowledged(put.number(), put.number() * 2, put.number() * 2 + 1);
      }
      checks.seal();
      long number = 1_000;
      for (Get get : gets) {
        checks.read(get.session, number++, get.keys, get.values, get.keys.length);
      }
      for (int key = 0; key < KEYS; key++) {
        checks.atRest(number, key, state[key]);
      }
      return checks.report();
    }
  }

  @Property(tries = 500)
  void serialHistoriesAreClean(@ForAll long seed) {
    assertThat(new Run(new Random(seed)).check().violations()).isEmpty();
  }

  @Property(tries = 500)
  void aValueOfNobodyIsCaught(@ForAll long seed) {
    Random random = new Random(seed);
    Run run = new Run(random);
    if (!run.gets.isEmpty()) {
      Get get = run.gets.get(random.nextInt(run.gets.size()));
      get.values[random.nextInt(get.values.length)] = 555;
      assertThat(run.check().count(Anomaly.THIN_AIR)).isPositive();
    }
  }

  @Property(tries = 500)
  void aSiblingTakenBackIsCaught(@ForAll long seed) {
    Random random = new Random(seed);
    Run run = new Run(random);
    for (Get get : run.gets) {
      for (int i = 0; i < get.keys.length; i++) {
        if (hasSiblingSeen(run, get, i)) {
          get.values[i] = 0;
          assertThat(run.check().count(Anomaly.FRACTURED)).isPositive();
          return;
        }
      }
    }
  }

  private static boolean hasSiblingSeen(Run run, Get get, int place) {
    for (int i = 0; i < get.keys.length; i++) {
      long seen = get.values[i];
      if (i != place
          && seen != 0
          && run.puts.get((int) seen - 1).keys().contains(get.keys[place])) {
        return true;
      }
    }
    return false;
  }

  @Property(tries = 500)
  void anEndThatFallsShortIsCaught(@ForAll long seed) {
    Run run = new Run(new Random(seed));
    for (int key = 0; key < KEYS; key++) {
      if (run.state[key] != 0) {
        run.state[key] = 0;
        assertThat(run.check().count(Anomaly.LOST)).isPositive();
        return;
      }
    }
  }
}
