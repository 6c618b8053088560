/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.report;

import io.kasane.node.ByteSize;
import io.kasane.node.views.Sizing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a table's numbers say to do, in sentences. */
final class Advice {
  /** Fewer reads say little. */
  private static final long ENOUGH_READS = 1_000;

  /** Below it, the hottest tenth of the rows gets hardly more than its share. */
  private static final double LITTLE_SKEW = 0.2;

  /** What another quota must bring to be worth a word. */
  private static final double WORTH = 0.03;

  private final TableFacts facts;
  private final List<String> sentences = new ArrayList<>();

  private Advice(TableFacts facts) {
    this.facts = facts;
  }

  /** The sentences, the most urgent first; there is one at least. */
  static List<String> of(TableFacts facts) {
    Advice advice = new Advice(facts);
    advice.say();
    return advice.sentences;
  }

  private void say() {
    if (facts.summary().policy().equals("stay")) {
      sentences.add(
          "An option in the schema is bad, so its rows stay where they are. The node's log names it:"
              + " ALTER TABLE to correct it.");
      return;
    }
    if (!facts.hasFastDisk()) {
      sentences.add(
          "This node has no fast disk. The table is compacted by size, and, with heat_policy"
              + " 'share', hot rows apart from cold ones; no read gets faster by placement. Name a"
              + " fast disk in kasane.yaml, or leave the table to a stock strategy.");
      marked("knee")
          .filter(knee -> knee.readShare() > 0)
          .ifPresent(
              knee ->
                  sentences.add(
                      "A fast disk with "
                          + bytes(knee.fastQuotaBytes())
                          + " for this table would serve "
                          + percent(knee.readShare())
                          + " of its reads, as far as they are known."));
      return;
    }
    if (facts.table().trackedKeys() == 0) {
      sentences.add(
          "No row was read since the node learned of the table. Look again when the application has"
              + " read for some minutes.");
      return;
    }
    boolean isSkewed = isSkewed();
    benefit();
    if (isSkewed) {
      quota();
    }
    if (facts.summary().knownHeatShare() < 1) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "Heat is known of %s of the rows that fit on fast: raise heat_memory in kasane.yaml.",
              percent(facts.summary().knownHeatShare())));
    }
    if (facts.summary().tierMode().equals("cache") && facts.summary().fastOnlyBytes() > 0) {
      sentences.add(
          bytes(facts.summary().fastOnlyBytes())
              + " lie on fast alone. In mode 'cache' that is well for minutes; if it lasts, slow is"
              + " full or behind.");
    }
    if (sentences.isEmpty()) {
      sentences.add("Nothing to change: the fast disk serves what it can.");
    }
  }

  /** How much the hottest tenth of the rows gets of the accesses. */
  private boolean isSkewed() {
    double share = 0;
    long rows = facts.heat().stream().mapToLong(band -> band.lastRank()).max().orElse(0);
    for (var band : facts.heat()) {
      long in = Math.min(band.lastRank(), rows / 10) - band.firstRank() + 1;
      long all = band.lastRank() - band.firstRank() + 1;
      share += in <= 0 ? 0 : band.accessShare() * in / all;
    }
    if (rows > 100 && share < LITTLE_SKEW) {
      sentences.add(
          "Nothing is hot: the hottest tenth of the rows gets "
              + percent(share)
              + " of the accesses. Tiers gain little here; a stock strategy on both disks, or more"
              + " memory, may serve as well.");
      return false;
    }
    return true;
  }

  private void benefit() {
    if (facts.diskReads() < ENOUGH_READS) {
      sentences.add(
          "Too few reads have touched a disk to judge what fast serves: "
              + facts.diskReads()
              + " since the node started, the others came from memory.");
    } else if (!facts.summary().copiesPay()) {
      sentences.add(
          "Copies do not pay: fast serves less than twice its share of the bytes. Kasane copies"
              + " only what is clearly hot, and updates fill the room.");
    }
    if (facts.summary().refusedRows() > 0) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "%,d rows belonged on fast and found no room since the node started.",
              facts.summary().refusedRows()));
    }
  }

  private void quota() {
    Optional<Sizing> today = marked("today");
    Optional<Sizing> knee = marked("knee");
    if (today.isEmpty() || knee.isEmpty()) {
      return;
    }
    double gain = knee.get().readShare() - today.get().readShare();
    String would =
        bytes(knee.get().fastQuotaBytes())
            + " would serve "
            + percent(knee.get().readShare())
            + " of the reads, today's "
            + bytes(today.get().fastQuotaBytes())
            + " serves "
            + percent(today.get().readShare())
            + ", once all hot rows have come";
    if (knee.get().fastQuotaBytes() > today.get().fastQuotaBytes() && gain > WORTH) {
      sentences.add("A larger quota pays: " + would + ". Beyond that it brings less.");
    } else if (knee.get().fastQuotaBytes() < today.get().fastQuotaBytes() / 2 && -gain < WORTH) {
      sentences.add("A smaller quota does as well: " + would + ".");
    }
  }

  private Optional<Sizing> marked(String remark) {
    return facts.sizing().stream().filter(one -> one.remark().equals(remark)).findFirst();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private static String bytes(long bytes) {
    return new ByteSize(Math.max(0, bytes)).human();
  }
}
