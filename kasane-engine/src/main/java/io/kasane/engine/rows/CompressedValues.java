/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Makes values smaller where that pays. An SSTable compresses many rows together; here each is
 * alone, so short ones stay as they are.
 *
 * <pre>
 * 00 value
 * 01 length (4 bytes) LZ4 block
 * </pre>
 */
final class CompressedValues {
  // The first byte, as drawn above.
  private static final byte PLAIN = 0;
  private static final byte LZ4 = 1;

  /** What stands before an LZ4 block. */
  private static final int HEADER = 1 + Integer.BYTES;

  /** What is shorter does not get shorter. */
  private static final int MIN_BYTES = 128;

  /** A value is packed if it gets shorter by one part in so many. */
  private static final int MIN_GAIN = 8;

  /** No row and no header is longer, since no mutation is. */
  private static final int MAX_BYTES = 1 << 30;

  private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();

  /** The one that is safe: damaged bytes must not end the process. */
  private static final LZ4SafeDecompressor DECOMPRESSOR =
      LZ4Factory.fastestInstance().safeDecompressor();

  private CompressedValues() {}

  /** A value to store. */
  static byte[] pack(byte[] value, boolean mayCompress) {
    if (mayCompress && value.length >= MIN_BYTES) {
      byte[] packed = new byte[HEADER + value.length - value.length / MIN_GAIN];
      int length = compress(value, packed);
      if (length > 0) {
        packed[0] = LZ4;
        ByteBuffer.wrap(packed).putInt(1, value.length);
        return Arrays.copyOf(packed, HEADER + length);
      }
    }
    byte[] plain = new byte[1 + value.length];
    plain[0] = PLAIN;
    System.arraycopy(value, 0, plain, 1, value.length);
    return plain;
  }

  private static int compress(byte[] value, byte[] into) {
    try {
      return COMPRESSOR.compress(value, 0, value.length, into, HEADER, into.length - HEADER);
    } catch (LZ4Exception e) {
      return 0; // it does not fit: not worth it
    }
  }

  /**
   * The value that was stored.
   *
   * @throws EngineException if it cannot be
   */
  static ByteBuffer unpack(byte[] stored) {
    if (stored.length > 0 && stored[0] == PLAIN) {
      return ByteBuffer.wrap(stored, 1, stored.length - 1).slice();
    }
    if (stored.length <= HEADER || stored[0] != LZ4) {
      throw new EngineException(Kind.CORRUPT, "an entry is neither plain nor packed");
    }
    int length = ByteBuffer.wrap(stored).getInt(1);
    if (length < 0 || length > MAX_BYTES) {
      throw new EngineException(Kind.CORRUPT, "an entry says that it has " + length + " bytes");
    }
    byte[] value = new byte[length];
    try {
      int unpacked = DECOMPRESSOR.decompress(stored, HEADER, stored.length - HEADER, value, 0);
      if (unpacked != length) {
        throw new EngineException(Kind.CORRUPT, "an entry of " + length + " bytes has " + unpacked);
      }
    } catch (LZ4Exception e) {
      throw new EngineException(Kind.CORRUPT, "an entry cannot be unpacked: " + e.getMessage(), e);
    }
    return ByteBuffer.wrap(value);
  }
}
