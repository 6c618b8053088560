/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.QueryConsistencyException;
import com.datastax.oss.driver.api.core.servererrors.QueryExecutionException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.kasane.ramp.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletionException;

/** What the driver throws, in the words of a store. */
final class Failures {
  private Failures() {}

  /** Whether it may have been done, or can be by now: no answer came in time. */
  static boolean isLate(Throwable failure) {
    Throwable cause = cause(failure);
    return cause instanceof DriverTimeoutException
        || cause instanceof ReadTimeoutException
        || cause instanceof WriteTimeoutException;
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  static StoreException of(Throwable failure, String what, ConsistencyLevel level) {
    Throwable cause = cause(failure);
    if (cause instanceof StoreException known) {
      return known;
    }
    return new StoreException("Cannot " + what + " at " + level + ": " + reason(cause), cause);
  }

  private static String reason(Throwable cause) {
    if (cause instanceof UnavailableException unavailable) {
      return unavailable.getAlive()
          + " replicas are up, "
          + unavailable.getRequired()
          + " must be. "
          + cause.getMessage();
    }
    if (cause instanceof QueryConsistencyException consistency) {
      return consistency.getReceived()
          + " replicas answered in time, "
          + consistency.getBlockFor()
          + " must. "
          + cause.getMessage();
    }
    if (cause instanceof DriverTimeoutException) {
      return "no answer within the session's basic.request.timeout. " + cause.getMessage();
    }
    if (cause instanceof AllNodesFailedException all) {
      // The last node that tried says more than that all failed.
      return all.getAllErrors().values().stream()
          .flatMap(List::stream)
          .filter(each -> each instanceof QueryExecutionException)
          .reduce((first, last) -> last)
          .map(Failures::reason)
          .orElse("no node could coordinate it. " + cause.getMessage());
    }
    return String.valueOf(cause.getMessage());
  }
}
