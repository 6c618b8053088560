/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import io.kasane.ramp.protocol.RampException;

/** A cluster, keyspace or table on which transactions would not be read-atomic or durable. */
public final class RefusedSchemaException extends RampException {
  private static final long serialVersionUID = 1;

  /** With setting, value, bound and way out. */
  public RefusedSchemaException(String message) {
    super(message);
  }

  /** With the reason that the cluster gave. */
  public RefusedSchemaException(String message, Throwable cause) {
    super(message, cause);
  }
}
