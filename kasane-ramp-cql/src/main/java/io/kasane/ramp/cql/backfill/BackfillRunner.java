/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.Seed;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One process's part of a run. For one thread. */
final class BackfillRunner {
  private final String name;
  private final SourceScan scan;
  private final Source source;
  private final Seeding seeding;
  private final RunTable runs;
  private final RampSession session;
  private final Consumer<BackfillProgress> listener;
  private final long beganNanos = System.nanoTime();

  /** How old the run was when this process came to it. */
  private Duration ageBefore = Duration.ZERO;

  private Run run;

  BackfillRunner(
      String name,
      SourceScan scan,
      Source source,
      Seeding seeding,
      RunTable runs,
      RampSession session,
      Consumer<BackfillProgress> listener) {
    this.name = name;
    this.scan = scan;
    this.source = source;
    this.seeding = seeding;
    this.runs = runs;
    this.session = session;
    this.listener = listener;
  }

  /**
   * Runs to the end of the source.
   *
   * @param again from its beginning, whatever was done before
   */
  BackfillCounts run(boolean again) {
    Optional<Run> before = again ? Optional.empty() : runs.newest(name);
    before.ifPresent(this::requireBegun);
    run = before.orElseGet(this::beginning);
    requireSameSource();
    if (run.isDone()) {
      return run.counts();
    }
    ageBefore = run.age();
    requireRemembered();
    runs.save(name, run);
    double begunAt = run.share();
    try {
      scan.from(
          run.position(),
          (rows, readMicros, doneUpTo) -> {
            Seeding.Page page =
                seeding.page(rows, seeds -> seed(seeds, readMicros), Integer::longValue);
            run =
                run.at(
                    doneUpTo,
                    new BackfillCounts(
                        page.rows(), page.seeds(), page.counted(), 0, page.expiring()));
            runs.save(name, run);
            listener.accept(BackfillProgress.of(run.share(), run.counts(), running(), begunAt));
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackfillException(
          "the backfill " + name + " was interrupted; begin it again: it goes on from there", e);
    }
    return run.counts();
  }

  private Run beginning() {
    return Run.beginning(Instant.now().truncatedTo(ChronoUnit.MILLIS), source.name());
  }

  private CompletionStage<Integer> seed(List<Seed> seeds, long readMicros) {
    requireRemembered();
    return session.seedAsync(seeds, readMicros);
  }

  private void requireBegun(Run last) {
    Duration ahead = last.age().negated();
    if (ahead.compareTo(session.options().maxClockDrift()) > 0) {
      throw new BackfillException(
          "the backfill "
              + name
              + " began at "
              + last.began()
              + " says "
              + RunTable.NAME
              + ", which is "
              + ahead
              + " ahead; at most maxClockDrift = "
              + session.options().maxClockDrift()
              + " is possible. Set this machine's clock; if that is right, delete the row");
    }
  }

  private void requireSameSource() {
    if (!run.source().equals(source.name())) {
      throw new BackfillException(
          "the backfill "
              + name
              + " began with the source "
              + run.source()
              + ", this one has "
              + source.name()
              + ". Give it a name of its own with Backfill.withName, or begin again with"
              + " --restart");
    }
  }

  /** By two clocks, of which the one may be set and the other stand still while all sleeps. */
  private void requireRemembered() {
    Duration byMonotonic = ageBefore.plus(running());
    Duration age = run.age().compareTo(byMonotonic) > 0 ? run.age() : byMonotonic;
    Duration grace = session.options().gcGrace();
    if (age.compareTo(grace) > 0) {
      throw new BackfillException(
          "the backfill "
              + name
              + " began at "
              + run.began()
              + ", "
              + age
              + " ago, and deletions are remembered for gcGrace = "
              + grace
              + ": what was deleted since may be forgotten by now, and would come back. Begin again"
              + " with --restart, which reads all of the source anew, and faster, with a higher"
              + " --rows-per-second");
    }
  }

  private Duration running() {
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }
}
