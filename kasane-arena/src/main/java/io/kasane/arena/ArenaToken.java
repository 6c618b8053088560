/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Admits whoever has it to the committed versions of one table, until it expires. Immutable.
 *
 * @param table keyspace and name: {@code shop.carts}
 * @param tableId the table's identity: one that was made anew is another table
 * @param expires from then on it admits nobody
 * @param opensMemory whether it also admits to the memory itself, where that is offered: whoever
 *     reaches that may write it, too
 */
public record ArenaToken(String table, UUID tableId, Instant expires, boolean opensMemory) {
  /** Where a node leaves the key that signs its tokens, in its directory of arenas. */
  public static final String KEY_FILE = ".token-key";

  /** How long a key is that signs tokens. */
  public static final int KEY_BYTES = 32;

  /** The longest text of one. */
  public static final int MAX_LENGTH = 512;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte FORMAT = 1;
  private static final byte MEMORY_FORMAT = 2;
  private static final int SIGNATURE_BYTES = 32;
  private static final int FIXED_BYTES = 1 + 3 * Long.BYTES;

  /** One that does not open memory. */
  public ArenaToken(String table, UUID tableId, Instant expires) {
    this(table, tableId, expires, false);
  }

  /** Returns it as text, signed with a key of {@value #KEY_BYTES} bytes. */
  public String sign(byte[] key) {
    byte[] name = table.getBytes(UTF_8);
    ByteBuffer all = ByteBuffer.allocate(FIXED_BYTES + name.length + SIGNATURE_BYTES);
    all.put(opensMemory ? MEMORY_FORMAT : FORMAT)
        .putLong(tableId.getMostSignificantBits())
        .putLong(tableId.getLeastSignificantBits())
        .putLong(expires.toEpochMilli())
        .put(name);
    byte[] said = new byte[all.position()];
    all.get(0, said);
    all.put(signature(key, said));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
  }

  /**
   * Reads one that somebody shows.
   *
   * @throws IllegalArgumentException if it is none, or was not signed with the key
   */
  public static ArenaToken verify(String text, byte[] key) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("a token has at most " + MAX_LENGTH + " characters");
    }
    byte[] all = Base64.getUrlDecoder().decode(text);
    int end = all.length - SIGNATURE_BYTES;
    if (end <= FIXED_BYTES) {
      throw new IllegalArgumentException("a token of " + all.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(all);
    byte[] said = new byte[end];
    byte[] signature = new byte[SIGNATURE_BYTES];
    in.get(0, said).get(end, signature);
    byte format = in.get();
    if (!MessageDigest.isEqual(signature, signature(key, said))
        || (format != FORMAT && format != MEMORY_FORMAT)) {
      throw new IllegalArgumentException("a token that this server's node did not give");
    }
    return new ArenaToken(
        new String(said, FIXED_BYTES, end - FIXED_BYTES, UTF_8),
        new UUID(in.getLong(), in.getLong()),
        Instant.ofEpochMilli(in.getLong()),
        format == MEMORY_FORMAT);
  }

  private static byte[] signature(byte[] key, byte[] said) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(said);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
