/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineTable.Size;
import io.kasane.engine.spi.EngineUsage;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SizeCacheTest {
  private static final EngineUsage USAGE = new EngineUsage(3, 4, 5, 6);

  private final SizeCache<String> known = new SizeCache<>();

  /** What was given to threads and has not begun: as good as a call that hangs. */
  private final Queue<Runnable> hanging = new ArrayDeque<>();

  private void ask(Map<String, Size> sizes) {
    known.ask(
        hanging::add,
        () -> USAGE,
        sizes.keySet(),
        table -> {
          if (sizes.get(table).entries() < 0) {
            throw new EngineException(Kind.CORRUPT, "cannot be read");
          }
          return sizes.get(table);
        });
  }

  @Test
  void shouldShowWhatWasSaidLastWhileTheNextAnswerHangs() {
    assertThat(known.usage()).isEmpty();
    assertThat(known.size("t")).isEmpty();

    ask(Map.of("t", new Size(1, 10)));
    assertThat(known.usage()).isEmpty();
    hanging.remove().run();
    assertThat(known.usage()).contains(USAGE);
    assertThat(known.size("t")).contains(new Size(1, 10));

    ask(Map.of("t", new Size(2, 20)));
    ask(Map.of("t", new Size(3, 30)));
    assertThat(hanging).as("threads that may hang").hasSize(1);
    assertThat(known.size("t")).contains(new Size(1, 10));

    hanging.remove().run();
    assertThat(known.size("t")).contains(new Size(2, 20));
    ask(Map.of("t", new Size(4, 40)));
    hanging.remove().run();
    assertThat(known.size("t")).contains(new Size(4, 40));
  }

  @Test
  void shouldKeepWhatItKnewOfATableThatFailsAndForgetOneThatIsGone() {
    ask(Map.of("a", new Size(1, 1), "b", new Size(1, 1), "gone", new Size(1, 1)));
    hanging.remove().run();

    ask(Map.of("a", new Size(-1, 0), "b", new Size(2, 2)));
    hanging.remove().run();
    assertThat(known.size("a")).contains(new Size(1, 1));
    assertThat(known.size("b")).contains(new Size(2, 2));
    assertThat(known.size("gone")).isEmpty();
  }

  @Test
  void shouldAskAgainAfterThereWasNoThread() {
    assertThatThrownBy(
            () ->
                known.ask(
                    run -> {
                      throw new RejectedExecutionException();
                    },
                    () -> USAGE,
                    Set.of(),
                    table -> null))
        .isInstanceOf(RejectedExecutionException.class);
    ask(Map.of());
    hanging.remove().run();
    assertThat(known.usage()).contains(USAGE);
  }
}
