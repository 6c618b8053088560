/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Counts what is missing in the target. For one thread. */
final class BackfillVerifier {
  /** Of what is missing beyond, nothing is looked for again. */
  private static final int MAX_REMEMBERED = 1_000;

  private static final int MAX_EXAMPLES = 10;

  private final SourceScan scan;
  private final Seeding seeding;
  private final RampSession session;
  private final Consumer<BackfillProgress> listener;
  private final long beganNanos = System.nanoTime();
  private final List<Seed> remembered = new ArrayList<>();
  private BackfillCounts counts = BackfillCounts.NONE;

  BackfillVerifier(
      SourceScan scan, Seeding seeding, RampSession session, Consumer<BackfillProgress> listener) {
    this.scan = scan;
    this.seeding = seeding;
    this.session = session;
    this.listener = listener;
  }

  BackfillCheck verify() {
    try {
      scan.from(
          Long.MIN_VALUE,
          (rows, readMicros, doneUpTo) -> {
            Queue<Seed> found = new ConcurrentLinkedQueue<>();
            Seeding.Page page =
                seeding.page(
                    rows,
                    session::missingAsync,
                    missing -> {
                      found.addAll(missing);
                      return missing.size();
                    });
            counts =
                counts.plus(
                    new BackfillCounts(
                        page.rows(), page.seeds(), 0, page.counted(), page.expiring()));
            found.stream().limit(MAX_REMEMBERED - remembered.size()).forEach(remembered::add);
            listener.accept(BackfillProgress.of(Run.share(doneUpTo), counts, running(), 0));
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackfillException("the verification was interrupted; begin it again", e);
    }
    List<Seed> missing = session.missing(remembered);
    long there = (long) remembered.size() - missing.size();
    return new BackfillCheck(
        counts.withMissing(counts.missing() - there),
        missing.subList(0, Math.min(missing.size(), MAX_EXAMPLES)));
  }

  private Duration running() {
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }
}
