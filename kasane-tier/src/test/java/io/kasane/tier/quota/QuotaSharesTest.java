/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class QuotaSharesTest {
  private static final long QUOTA = 1_000;

  private final List<Table> tables = new ArrayList<>();
  private final QuotaShares budget = new QuotaShares(() -> QUOTA, () -> tables);

  private record Table(OptionalLong ownLimitBytes, OptionalDouble accesses)
      implements QuotaShares.Sharer {}

  private Table shared(double accesses) {
    return add(new Table(OptionalLong.empty(), OptionalDouble.of(accesses)));
  }

  private Table limited(long bytes) {
    return add(new Table(OptionalLong.of(bytes), OptionalDouble.of(1e6)));
  }

  private Table add(Table table) {
    tables.add(table);
    return table;
  }

  @Test
  void shouldGiveATableAloneTheWholeQuota() {
    assertThat(budget.bytesFor(shared(0))).isEqualTo(QUOTA);
  }

  @Test
  void shouldShareByAccessesWhatOwnLimitsLeave() {
    Table limited = limited(200);
    Table hot = shared(598);
    Table cold = shared(200);

    assertThat(budget.bytesFor(limited)).isEqualTo(200);
    assertThat(budget.bytesFor(hot)).as("599 of 800 accesses").isEqualTo(599);
    assertThat(budget.bytesFor(cold)).isEqualTo(201);
  }

  @Test
  void shouldLetNoTableStarveThatWasNotReadYet() {
    Table first = shared(0);
    Table second = shared(0.0001);

    assertThat(budget.bytesFor(first) + budget.bytesFor(second)).isBetween(QUOTA - 1, QUOTA);
    assertThat(budget.bytesFor(first)).isBetween(499L, 500L);
  }

  @Test
  void shouldGiveNothingWhereOwnLimitsTakeAll() {
    limited(700);
    limited(5 * QUOTA);

    assertThat(budget.bytesFor(shared(1))).isZero();
    assertThat(budget.bytesFor(tables.get(1))).as("never more than the node has").isEqualTo(QUOTA);
  }

  @Test
  void shouldGiveATableThatIsBeingMadeWhatIsLeft() {
    limited(400);
    shared(10);
    Table unlisted = new Table(OptionalLong.empty(), OptionalDouble.of(5));
    Table uncounted = add(new Table(OptionalLong.empty(), OptionalDouble.empty()));

    assertThat(budget.bytesFor(unlisted)).isEqualTo(600);
    assertThat(budget.bytesFor(uncounted)).isEqualTo(600);
  }
}
