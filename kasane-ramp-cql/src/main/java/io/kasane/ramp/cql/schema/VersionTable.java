/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import java.time.Duration;

/**
 * A table of versions.
 *
 * @param name its name
 * @param comment what its clients share, in words
 * @param gcGrace how long its tombstones are kept, and how long hints of its writes are good
 */
public record VersionTable(String name, String comment, Duration gcGrace) {}
