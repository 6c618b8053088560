/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.refuse;

import org.apache.cassandra.exceptions.ConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a start with one sentence. */
public final class StartRefusal {
  private static final Logger logger = LoggerFactory.getLogger(StartRefusal.class);

  /** What Cassandra ends with when its own settings are wrong. */
  private static final int EXIT_STATUS = 3;

  private static final String DAEMON = "org.apache.cassandra.service.CassandraDaemon";

  private StartRefusal() {}

  /**
   * Says why, to the log and to the terminal. If this is a node that starts, its process ends here:
   * Cassandra would wrap the sentence in an error of a class's initialization, and print three
   * stack traces around it. Nothing was opened yet. A program that has Cassandra inside goes on.
   *
   * @return what to throw
   */
  public static ConfigurationException of(String reason, Throwable cause) {
    String sentence = "Kasane refuses to start: " + reason;
    logger.error(sentence);
    System.err.println(sentence);
    if (isNodeStarting()) {
      System.err.flush();
      // No exit: a shutdown hook might wait for the class that is being initialized here.
      Runtime.getRuntime().halt(EXIT_STATUS);
    }
    return new ConfigurationException(sentence, cause);
  }

  private static boolean isNodeStarting() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().equals(DAEMON)
                            && frame.getMethodName().equals("main")));
  }
}
