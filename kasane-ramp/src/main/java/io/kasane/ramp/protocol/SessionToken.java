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
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A session as bytes or text, for servers that keep no sessions: format (1 byte), flags (1), the
 * number of floors (4), each floor, and over all before it a signature of {@link TokenKey}, or
 * without one CRC32C (4). The text is base64url without padding.
 *
 * <p>It has floors for what is not at a quorum for certain only. What is settled is left to the
 * first rounds of the session that it makes, which ask quorums: so most tokens have no floor.
 *
 * <p>Who may forge one can make its session look for what never was, and nobody else's.
 */
public final class SessionToken {
  private static final byte FORMAT = 2;
  private static final int FROM_QUORUMS = 1;
  private static final int SIGNED = 2;
  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private final List<Floors.Entry> floors;
  private final boolean overflowed;

  private SessionToken(List<Floors.Entry> floors, boolean overflowed) {
    this.floors = List.copyOf(floors);
    this.overflowed = overflowed;
  }

  static SessionToken of(List<Floors.Entry> floors, boolean overflowed) {
    List<Floors.Entry> unsettled = floors.stream().filter(floor -> !floor.settled()).toList();
    return new SessionToken(unsettled, overflowed || unsettled.size() < floors.size());
  }

  /**
   * The token that this text is.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static SessionToken parse(String text) {
    return parse(text, Optional.empty());
  }

  /**
   * The token that this text is.
   *
   * @param key of the servers, if they have one; then what is not signed with it is refused
   * @throws IllegalArgumentException if it is none
   */
  public static SessionToken parse(String text, Optional<TokenKey> key) {
    byte[] all = Base64.getUrlDecoder().decode(text);
    int length = all.length - key.map(any -> TokenKey.BYTES).orElse(CHECKSUM_BYTES);
    if (length < 0 || !isGenuine(ByteBuffer.wrap(all), length, key)) {
      throw new IllegalArgumentException(
          "no session token: its "
              + (key.isPresent() ? "signature" : "checksum")
              + " is wrong; begin a new session");
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(all, 0, length))) {
      return read(in, key.isPresent());
    } catch (IOException | CorruptVersionException e) {
      throw new IllegalArgumentException("no session token: " + e.getMessage(), e);
    }
  }

  /** As text of letters, digits, {@code -} and {@code _}, not signed. */
  @Override
  public String toString() {
    return toString(Optional.empty());
  }

  /** As text of letters, digits, {@code -} and {@code _}. */
  public String toString(Optional<TokenKey> key) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeByte((overflowed ? FROM_QUORUMS : 0) | (key.isPresent() ? SIGNED : 0));
      out.writeInt(floors.size());
      for (Floors.Entry floor : floors) {
        write(Bytes.utf8(floor.key().table()), out);
        write(floor.key().partition(), out);
        write(floor.key().item(), out);
        out.write(floor.timestamp().toBytes().toArray());
      }
      Bytes body = Bytes.copyOf(bytes.toByteArray());
      if (key.isPresent()) {
        out.write(key.get().sign(body).toArray());
      } else {
        out.writeInt(checksum(body.toBuffer()));
      }
    } catch (IOException e) {
      throw new AssertionError("memory takes all bytes", e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  List<Floors.Entry> floors() {
    return floors;
  }

  boolean overflowed() {
    return overflowed;
  }

  private static boolean isGenuine(ByteBuffer all, int length, Optional<TokenKey> key) {
    ByteBuffer body = all.duplicate().limit(length);
    ByteBuffer end = all.duplicate().position(length);
    return key.map(known -> known.signed(Bytes.copyOf(body), Bytes.copyOf(end)))
        .orElseGet(() -> checksum(body) == end.getInt());
  }

  private static SessionToken read(DataInputStream in, boolean signed) throws IOException {
    byte format = in.readByte();
    if (format != FORMAT) {
      throw new IOException("its format is " + format + ", known is " + FORMAT);
    }
    int flags = in.readByte();
    if ((flags & ~FROM_QUORUMS) != (signed ? SIGNED : 0)) {
      throw new IOException(
          "its flags are " + flags + (signed ? ", it is" : ", it is not") + " signed");
    }
    List<Floors.Entry> floors = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      ItemKey key = new ItemKey(bytes(in).toUtf8(), bytes(in), bytes(in));
      byte[] timestamp = in.readNBytes(Timestamp.BYTES);
      floors.add(new Floors.Entry(key, Timestamp.read(ByteBuffer.wrap(timestamp)), false));
    }
    return new SessionToken(floors, (flags & FROM_QUORUMS) != 0);
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

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }
}
