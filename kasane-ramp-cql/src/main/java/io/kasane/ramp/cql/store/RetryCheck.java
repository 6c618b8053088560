/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.internal.core.retry.ConsistencyDowngradingRetryPolicy;

/**
 * Refuses the driver's policy that repeats a request at a lower level. What a user's own policy
 * does is seen in the answers only.
 */
final class RetryCheck {
  private RetryCheck() {}

  static void check(CqlSession session, String executionProfile) {
    String profile =
        executionProfile.isEmpty() ? DriverExecutionProfile.DEFAULT_NAME : executionProfile;
    RetryPolicy policy = session.getContext().getRetryPolicy(profile);
    if (policy instanceof ConsistencyDowngradingRetryPolicy) {
      throw new IllegalArgumentException(
          "advanced.retry-policy.class: "
              + policy.getClass().getSimpleName()
              + " repeats requests at lower levels, so that versions would be missed. Use"
              + " DefaultRetryPolicy, in an execution profile of its own if need be.");
    }
  }
}
