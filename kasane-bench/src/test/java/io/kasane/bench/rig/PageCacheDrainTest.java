/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PageCacheDrainTest {
  /** A group that counts how often its page cache is emptied, or refuses it. */
  private record Group(CountDownLatch emptied, boolean refuses) implements NodeGroup {
    @Override
    public void emptyPageCache() throws IOException {
      emptied.countDown();
      if (refuses) {
        throw new IOException("refused");
      }
    }

    @Override
    public void admit(long pid) {}

    @Override
    public long besideFilesBytes() {
      return 0;
    }

    @Override
    public void limitMemory(long bytes) {}

    @Override
    public void limit(DeviceNumber device, DiskLimits limits) {}

    @Override
    public void close() {}
  }

  @Test
  void shouldEmptyAgainAndAgain() throws InterruptedException {
    CountDownLatch emptied = new CountDownLatch(3);
    PageCacheDrain drain = new PageCacheDrain(new Group(emptied, false));

    assertThat(emptied.await(30, TimeUnit.SECONDS)).isTrue();
    drain.close();
  }

  @Test
  void shouldNotHideThatThePageCacheStayed() throws InterruptedException {
    CountDownLatch emptied = new CountDownLatch(2);
    PageCacheDrain drain = new PageCacheDrain(new Group(emptied, true));
    assertThat(emptied.await(30, TimeUnit.SECONDS)).isTrue();

    assertThatThrownBy(drain::close)
        .isInstanceOf(NodeException.class)
        .hasMessageContainingAll("page cache", "refused");
  }
}
