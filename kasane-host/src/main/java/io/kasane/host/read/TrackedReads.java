/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.read;

import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/**
 * Knows whether the read that runs on this thread was asked for by a coordinator that compares what
 * is repaired on its replicas. The flag is in the message alone, and only where the read begins; so
 * the message is remembered when the thread takes it up.
 */
public final class TrackedReads {
  private static final ThreadLocal<ReadCommand> last = new ThreadLocal<>();
  private static boolean watching;

  private TrackedReads() {}

  /**
   * Begins to watch, once. Not before Cassandra has made its schema, and with it its messaging
   * service.
   */
  public static synchronized void watch() {
    if (!watching) {
      MessagingService.instance().inboundSink.add(TrackedReads::note);
      watching = true;
    }
  }

  /** Whether this thread answers such a read now. */
  public static boolean isTracked() {
    ReadCommand read = last.get();
    return read != null && !read.isCompleted();
  }

  private static boolean note(Message<?> message) {
    Verb verb = message.verb();
    if (verb == Verb.READ_REQ || verb == Verb.RANGE_REQ) {
      if (message.trackRepairedData()) {
        last.set((ReadCommand) message.payload);
      } else if (last.get() != null) {
        last.remove(); // of a read that failed
      }
    }
    return true;
  }
}
