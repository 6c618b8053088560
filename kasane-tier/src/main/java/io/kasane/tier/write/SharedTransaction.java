/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import org.apache.cassandra.db.lifecycle.ILifecycleTransaction;
import org.apache.cassandra.db.lifecycle.WrappedLifecycleTransaction;

/** Lets two rewriters stage files into one transaction that neither may end. */
final class SharedTransaction extends WrappedLifecycleTransaction {
  SharedTransaction(ILifecycleTransaction delegate) {
    super(delegate);
  }

  @Override
  public void checkpoint() {}

  @Override
  public void obsoleteOriginals() {}

  @Override
  public void prepareToCommit() {}

  @Override
  public Throwable commit(Throwable accumulate) {
    return accumulate;
  }

  @Override
  public Throwable abort(Throwable accumulate) {
    return accumulate;
  }

  @Override
  public void close() {}
}
