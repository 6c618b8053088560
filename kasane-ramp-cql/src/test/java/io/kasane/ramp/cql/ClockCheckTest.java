/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.protocol.Environment;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockCheckTest {
  private final List<Runnable> later = new ArrayList<>();
  private final Environment environment =
      new Environment() {
        @Override
        public long wallMicros() {
          return 0;
        }

        @Override
        public long monotonicNanos() {
          return 0;
        }

        @Override
        public long randomLong() {
          return 0;
        }

        @Override
        public void after(Duration delay, Runnable task) {
          later.add(task);
        }

        @Override
        public void warn(String message) {}
      };

  @Test
  void aQuestionThatCannotBeAskedIsAskedAgain() {
    CqlSession broken =
        (CqlSession)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException("no metadata");
                });
    new ClockCheck(broken, environment, ahead -> {}).begin();

    for (int times = 0; times < 3; times++) {
      assertThatThrownBy(() -> later.remove(0).run()).hasMessage("no metadata");
      assertThat(later).hasSize(1);
    }
  }
}
