/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Instant;

/**
 * One row of {@code kasane_views.history}; all but the bytes count since the node started.
 *
 * @param fastBytes live bytes on fast
 */
public record Moment(
    Instant at,
    long readsMemory,
    long readsFast,
    long readsSlow,
    long fastBytes,
    long promotedRows,
    long demotedRows) {

  static Moment of(Row row) {
    return new Moment(
        row.getInstant("at"),
        row.getLong("reads_memory"),
        row.getLong("reads_fast"),
        row.getLong("reads_slow"),
        row.getLong("fast_bytes"),
        row.getLong("promoted_rows"),
        row.getLong("demoted_rows"));
  }
}
