/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import java.io.File;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.commitlog.CommitLogDescriptor;

/** The segments of this node's commit log, as they lie on the disk. */
final class CommitLogFiles {
  /** Segments grow old over minutes. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final CommitLogHorizon age;
  private long nextNanos = System.nanoTime();

  CommitLogFiles(CommitLogHorizon age) {
    this.age = age;
  }

  /** Looks at them every ten seconds; to be called by one thread. */
  void look() {
    long now = System.nanoTime();
    if (now - nextNanos >= 0) {
      nextNanos = now + PAUSE_NANOS;
      long millis = System.currentTimeMillis();
      age.look(millis, CommitLog.instance.getCurrentPosition().segmentId, oldest());
    }
  }

  private static OptionalLong oldest() {
    String[] names = new File(DatabaseDescriptor.getCommitLogLocation()).list();
    long oldest = Long.MAX_VALUE;
    for (String name : names == null ? new String[0] : names) {
      if (CommitLogDescriptor.isValid(name)) {
        oldest = Math.min(oldest, CommitLogDescriptor.fromFileName(name).id);
      }
    }
    return oldest == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(oldest);
  }
}
