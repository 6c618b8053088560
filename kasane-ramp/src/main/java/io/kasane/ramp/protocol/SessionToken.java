/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.CorruptVersionException;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A session as bytes or text, for servers that keep no sessions: format (1 byte), whether floors
 * were forgotten (1), their number (4), each floor, CRC32C (4) over all before it. The text is
 * base64url without padding. It is checked, not signed: who may forge it can make a session read
 * for what never was.
 */
public final class SessionToken {
  private static final byte FORMAT = 1;
  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private final List<Floors.Entry> floors;
  private final boolean overflowed;

  private SessionToken(List<Floors.Entry> floors, boolean overflowed) {
    this.floors = List.copyOf(floors);
    this.overflowed = overflowed;
  }

  static SessionToken of(List<Floors.Entry> floors, boolean overflowed) {
    return new SessionToken(floors, overflowed);
  }

  /**
   * The token that these bytes are.
   *
   * @throws IllegalArgumentException if they are none
   */
  public static SessionToken of(Bytes bytes) {
    int length = bytes.length() - CHECKSUM_BYTES;
    if (length < 0 || checksum(bytes, length) != bytes.toBuffer().getInt(length)) {
      throw new IllegalArgumentException(
          "no session token: its checksum is wrong; begin a new session");
    }
    byte[] body = new byte[length];
    bytes.toBuffer().get(body);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
      return read(in);
    } catch (IOException | CorruptVersionException e) {
      throw new IllegalArgumentException("no session token: " + e.getMessage(), e);
    }
  }

  /**
   * The token that this text is.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static SessionToken parse(String text) {
    return of(Bytes.copyOf(Base64.getUrlDecoder().decode(text)));
  }

  /** As bytes. */
  public Bytes toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeBoolean(overflowed);
      out.writeInt(floors.size());
      for (Floors.Entry floor : floors) {
        write(Bytes.utf8(floor.key().table()), out);
        write(floor.key().partition(), out);
        write(floor.key().item(), out);
        out.write(floor.timestamp().toBytes().toArray());
        out.writeBoolean(floor.settled());
      }
      out.writeInt(checksum(Bytes.copyOf(bytes.toByteArray()), bytes.size()));
    } catch (IOException e) {
      throw new AssertionError("memory takes all bytes", e);
    }
    return Bytes.copyOf(bytes.toByteArray());
  }

  /** As text of letters, digits, {@code -} and {@code _}. */
  @Override
  public String toString() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(toBytes().toArray());
  }

  List<Floors.Entry> floors() {
    return floors;
  }

  boolean overflowed() {
    return overflowed;
  }

  private static SessionToken read(DataInputStream in) throws IOException {
    byte format = in.readByte();
    if (format != FORMAT) {
      throw new IOException("its format is " + format + ", known is " + FORMAT);
    }
    boolean overflowed = in.readBoolean();
    List<Floors.Entry> floors = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      ItemKey key = new ItemKey(bytes(in).toUtf8(), bytes(in), bytes(in));
      byte[] timestamp = in.readNBytes(Timestamp.BYTES);
      floors.add(
          new Floors.Entry(key, Timestamp.read(ByteBuffer.wrap(timestamp)), in.readBoolean()));
    }
    return new SessionToken(floors, overflowed);
  }

  private static void write(Bytes bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length());
    out.write(bytes.toArray());
  }

  private static Bytes bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("it says " + length + " bytes where " + in.available() + " are left");
    }
    return Bytes.copyOf(in.readNBytes(length));
  }

  private static int checksum(Bytes bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.toBuffer().limit(length));
    return (int) crc.getValue();
  }
}
