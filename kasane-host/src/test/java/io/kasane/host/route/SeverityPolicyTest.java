/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeverityPolicyTest {
  private final SeverityPolicy policy = new SeverityPolicy();
  private double gossiped;

  private double look(double wanted) {
    policy.next(gossiped, wanted).ifPresent(told -> gossiped = told);
    return gossiped;
  }

  @Test
  void nothingIsToldWithoutAReason() {
    assertThat(policy.next(0, 0)).isEmpty();
  }

  @Test
  void whatIsToldFollowsTheReasons() {
    assertThat(look(5)).isEqualTo(5);
    assertThat(policy.next(gossiped, 5)).isEmpty();
    assertThat(look(100)).isEqualTo(100);
    assertThat(look(5)).isEqualTo(5);
    assertThat(look(0)).isZero();
  }

  @Test
  void whatWasSetByHandIsTheLeast() {
    look(5);
    gossiped = 7; // as nodetool or JMX would
    assertThat(look(5)).isEqualTo(7);
    assertThat(look(100)).isEqualTo(100);
    assertThat(look(5)).isEqualTo(7);
    gossiped = 0;
    assertThat(look(5)).isEqualTo(5);
    assertThat(look(0)).isZero();
  }

  /** Else what failed to be taken back would be taken for an operator's, for ever. */
  @Test
  void whatDidNotComeThroughIsToldAgain() {
    look(100);
    assertThat(policy.next(gossiped, 0)).hasValue(0);
    assertThat(policy.next(gossiped, 0)).hasValue(0);
    assertThat(look(0)).isZero();
  }

  @Test
  void whatWasSetBeforeTheFirstLookStays() {
    gossiped = 3;
    assertThat(look(0)).isEqualTo(3);
    assertThat(look(5)).isEqualTo(5);
    assertThat(look(0)).isEqualTo(3);
  }
}
