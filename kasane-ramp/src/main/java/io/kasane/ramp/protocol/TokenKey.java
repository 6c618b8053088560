/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Bytes;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret of the application's servers, with which they sign what they give to users and know it
 * when it comes back: HMAC-SHA256, its first {@link #BYTES} bytes. Immutable and thread-safe.
 *
 * <p>Source: RFC 2104, section 5 of which allows half of the hash.
 */
public final class TokenKey {
  /** How many bytes a signature takes. */
  static final int BYTES = 16;

  private static final int MIN_SECRET_BYTES = 16;
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  private TokenKey(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /**
   * A key of that secret, the same on all servers, drawn at random.
   *
   * @param secret 16 bytes at least
   */
  public static TokenKey of(byte[] secret) {
    if (secret.length < MIN_SECRET_BYTES) {
      throw new IllegalArgumentException(
          "the secret of session tokens has "
              + secret.length
              + " bytes, the least is "
              + MIN_SECRET_BYTES
              + ": draw 32 at random, once for all servers");
    }
    return new TokenKey(secret);
  }

  Bytes sign(Bytes bytes) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Bytes.copyOf(Arrays.copyOf(mac.doFinal(bytes.toArray()), BYTES));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has " + ALGORITHM, e);
    }
  }

  /** In a time that says nothing of the first byte that differs. */
  boolean signed(Bytes bytes, Bytes signature) {
    return MessageDigest.isEqual(sign(bytes).toArray(), signature.toArray());
  }

  @Override
  public String toString() {
    return "TokenKey";
  }
}
