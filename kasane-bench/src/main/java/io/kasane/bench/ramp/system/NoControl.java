/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.CqlSession;

/** No concurrency control: as many plain reads or writes as there are keys, all at once. */
final class NoControl implements TransactionSystem {
  private final PlainTable table;
  private final TransactionNumbers numbers;

  NoControl(CqlSession session, String table, TransactionNumbers numbers) {
    this.table = new PlainTable(session, table);
    this.numbers = numbers;
  }

  @Override
  public TransactionClient connect() {
    return new TransactionClient() {
      @Override
      public Reading read(int[] keys) {
        return new Reading(table.selectEach(keys), 1);
      }

      @Override
      public long write(int[] keys, byte[] payload) {
        StampedValue value = new StampedValue(numbers.next(), keys, payload);
        table.insertEach(keys, value);
        return value.number();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {}
}
