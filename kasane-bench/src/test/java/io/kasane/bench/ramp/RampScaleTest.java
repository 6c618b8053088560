/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.bench.ramp.system.Systems;
import io.kasane.node.NodeException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RampScaleTest {
  @ParameterizedTest
  @ValueSource(strings = {"smoke", "small", "paper"})
  void shouldRunEachCellOnceAndLeaveOutWhatASystemCannotDo(String name) {
    RampScale scale = RampScale.named(name);
    List<Cell> cells = scale.cells(Systems.NAMES);

    assertThat(scale.measuresCollecting()).isTrue();
    assertThat(cells).doesNotHaveDuplicates();
    assertThat(cells.stream().map(Cell::system).distinct())
        .containsExactlyInAnyOrderElementsOf(Systems.NAMES);
    assertThat(cells).allSatisfy(cell -> assertThat(cell.whyLeftOut()).isEmpty());
    long leftOut = scale.shapes().stream().filter(shape -> shape.size() > 16).count();
    assertThat(cells).hasSize(scale.shapes().size() * Systems.NAMES.size() - (int) leftOut);
  }

  @Test
  void shouldHoldTheShapesOfThePaper() {
    List<Shape> shapes = RampScale.named("paper").shapes();

    assertThat(shapes.get(0)).isEqualTo(new Shape(1_000_000, 1, 4, 0.95, "uniform", 64));
    assertThat(shapes)
        .contains(
            new Shape(1_000_000, 1, 128, 0.95, "uniform", 64),
            new Shape(1_000, 1_000, 4, 0, "uniform", 64),
            new Shape(1_000, 1_000, 4, 1, "uniform", 64));
  }

  @Test
  void shouldMeasureCostBothWithAndWithoutHotKeys() {
    RampScale scale = RampScale.named("cost");

    assertThat(scale.measuresCollecting()).isFalse();
    assertThat(scale.withGcWindow(3).measuresCollecting()).isTrue();
    assertThat(scale.shapes()).extracting(Shape::clients).containsExactly(1, 4);
    assertThat(scale.withClients(2).shapes()).extracting(Shape::clients).containsOnly(2);
    assertThat(scale.shapes()).extracting(Shape::law).containsExactly("uniform", "zipf:0.99");
    assertThat(scale.shapes()).allSatisfy(shape -> assertThat(shape.size()).isEqualTo(8));
    assertThat(scale.cells(Systems.COST)).hasSize(2 * Systems.COST.size());
  }

  @Test
  void shouldNameTheScalesThereAre() {
    assertThatThrownBy(() -> RampScale.named("cost").withGcWindow(0))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("--gc-window: 0 s is outside 1..3600");
    assertThatThrownBy(() -> RampScale.named("huge"))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("'huge' is none of smoke, small, paper, cost");
  }
}
