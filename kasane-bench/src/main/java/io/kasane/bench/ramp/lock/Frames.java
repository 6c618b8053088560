/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.lock;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** What travels between a lock server and its clients, byte by byte. */
final class Frames {
  private static final int MAX_KEYS = 1 << 16;

  private Frames() {}

  static DataOutputStream output(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  static void writeRequest(DataOutputStream out, long id, boolean exclusive, long[] keys)
      throws IOException {
    out.writeByte(LockServer.ACQUIRE);
    out.writeLong(id);
    out.writeBoolean(exclusive);
    out.writeInt(keys.length);
    for (long key : keys) {
      out.writeLong(key);
    }
    out.flush();
  }

  static LockRequest request(long id, DataInputStream in) throws IOException {
    boolean exclusive = in.readBoolean();
    int count = in.readInt();
    if (count < 1 || count > MAX_KEYS) {
      throw new IllegalArgumentException(count + " keys; need 1 to " + MAX_KEYS);
    }
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = in.readLong();
    }
    return new LockRequest(id, exclusive, keys);
  }
}
