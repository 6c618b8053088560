/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckedCellsTest {
  private final CheckedCells cells = new CheckedCells(10, 2);

  @Test
  void aCellIsAsLongAsItMustBe() {
    assertThat(CheckedCells.text(9, 1, 77)).hasSize(CheckedCells.CELL_LENGTH);
    assertThat(CheckedCells.text(9, 1, 77)).isNotEqualTo(CheckedCells.text(9, 1, 78));
    assertThat(CheckedCells.text(9, 1, 77)).isNotEqualTo(CheckedCells.text(9, 0, 77));
  }

  @Test
  void whatWasLoadedIsRight() {
    cells.check(3, 1, cells.oldestAllowed(3)[1], CheckedCells.text(3, 1, 0));
    assertThat(cells.wrong()).isZero();
  }

  @Test
  void anUpdateMayBeSeenOnceSentAndMustBeOnceAcknowledged() {
    int version = cells.nextVersion(3, 1);
    int[] before = cells.oldestAllowed(3);
    cells.check(3, 1, before[1], CheckedCells.text(3, 1, 0));
    cells.check(3, 1, before[1], CheckedCells.text(3, 1, version));
    assertThat(cells.wrong()).isZero();

    cells.acknowledge(3, 1, version);
    cells.check(3, 1, cells.oldestAllowed(3)[1], CheckedCells.text(3, 1, 0));
    assertThat(cells.wrong()).isEqualTo(1);
    assertThat(cells.firstProblem()).contains("row 3, field 1", "version 1 to 1");
  }

  @Test
  void whatCannotBeReadIsNotRight() {
    cells.unread(3, "timed out");
    assertThat(cells.wrong()).isEqualTo(1);
    assertThat(cells.firstProblem()).contains("row 3", "timed out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "000000000000"})
  void garbageIsWrong(String text) {
    cells.check(3, 1, 0, text);
    assertThat(cells.wrong()).isEqualTo(1);
  }

  @Test
  void aMissingCellIsWrong() {
    cells.check(3, 1, 0, null);
    assertThat(cells.wrong()).isEqualTo(1);
  }

  @Test
  void oneOtherCharacterIsWrong() {
    String text = CheckedCells.text(3, 1, 0);
    cells.check(3, 1, 0, text.substring(0, 99) + (char) (text.charAt(99) ^ 1));
    assertThat(cells.wrong()).isEqualTo(1);
  }

  @Test
  void aCellOfAnotherRowIsWrong() {
    cells.check(3, 1, 0, CheckedCells.text(4, 1, 0));
    assertThat(cells.wrong()).isEqualTo(1);
  }

  @Test
  void aVersionNeverSentIsWrong() {
    cells.check(3, 1, 0, CheckedCells.text(3, 1, 1));
    assertThat(cells.wrong()).isEqualTo(1);
  }

  @Test
  void aReplicaMayLagButAllTogetherMayNot() {
    CheckedCells lagging = new CheckedCells(10, 2, true);
    int version = lagging.nextVersion(3, 1);
    lagging.acknowledge(3, 1, version);
    int oldest = lagging.oldestAllowed(3)[1];

    lagging.check(3, 1, oldest, CheckedCells.text(3, 1, 0));
    lagging.check(3, 1, oldest, CheckedCells.text(3, 1, version));
    assertThat(lagging.stale()).isEqualTo(1);
    assertThat(lagging.wrong()).isZero();

    lagging.check(3, 1, oldest, "garbage");
    lagging.check(3, 1, oldest, CheckedCells.text(3, 1, version + 1));
    assertThat(lagging.wrong()).isEqualTo(2);
    assertThat(lagging.checkNewest(3, 1, oldest, CheckedCells.text(3, 1, version))).isTrue();
    assertThat(lagging.checkNewest(3, 1, oldest, CheckedCells.text(3, 1, 0))).isFalse();
    assertThat(lagging.wrong()).isEqualTo(3);
    assertThat(lagging.stale()).isEqualTo(1);
  }
}
