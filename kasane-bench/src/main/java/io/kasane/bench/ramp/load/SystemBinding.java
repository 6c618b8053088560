/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.SeenValue;
import io.kasane.bench.ramp.system.TransactionClient;
import io.kasane.bench.ramp.system.TransactionFailedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * Any transaction system as a YCSB database. Keys are numbers; a row has one field, {@value
 * #FIELD}. A transaction either reads or updates, each key once.
 */
public final class SystemBinding extends TransactionDb {
  /** The only field of a row. */
  public static final String FIELD = "payload";

  private final TransactionClient client;
  private final List<Integer> keys = new ArrayList<>();
  private final Map<Integer, Map<String, ByteIterator>> results = new HashMap<>();
  private byte[] payload;
  private Reading reading;

  /** A binding that does not close the client. */
  public SystemBinding(TransactionClient client) {
    this.client = client;
  }

  @Override
  public void begin() {
    keys.clear();
    results.clear();
    payload = null;
    reading = null;
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    int number = Integer.parseInt(key);
    keys.add(number);
    results.put(number, result);
    return Status.BATCHED_OK;
  }

  /** All updates of a transaction write the same. */
  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    keys.add(Integer.parseInt(key));
    if (payload == null) {
      payload = values.get(FIELD).toArray();
    }
    return Status.BATCHED_OK;
  }

  @Override
  public Status commit() {
    if (payload != null && !results.isEmpty()) {
      return new Status("ERROR", "a transaction either reads or updates");
    }
    int[] all = keys.stream().mapToInt(Integer::intValue).toArray();
    try {
      if (payload != null) {
        client.write(all, payload);
      } else {
        reading = client.read(all);
        for (SeenValue seen : reading.values()) {
          results.get(seen.key()).put(FIELD, new ByteArrayByteIterator(seen.value().payload()));
        }
      }
      return Status.OK;
    } catch (TransactionFailedException e) {
      return new Status("ERROR", e.getMessage());
    }
  }

  /** What the last transaction read, with writers; null if it did not read or failed. */
  Reading reading() {
    return reading;
  }
}
