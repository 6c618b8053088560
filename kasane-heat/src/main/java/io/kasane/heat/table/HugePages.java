/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.table;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Linux for huge pages: random places of gigabytes miss the TLB less. Memory is the same
 * without, only slower, so nothing fails here. Thread-safe.
 */
final class HugePages {
  /** Of one page, on x86-64 and, with pages of 4 KiB, on 64-bit ARM. */
  static final int BYTES = 1 << 21;

  private static final Logger LOGGER = LoggerFactory.getLogger(HugePages.class);
  private static final boolean ARE_AVAILABLE = loadLibC();

  private HugePages() {}

  private static boolean loadLibC() {
    try {
      return LibC.IS_AVAILABLE;
    } catch (LinkageError e) { // no JNA, or none that works here
      LOGGER.debug("No huge pages for heat: {}", e.toString());
      return false;
    }
  }

  /** Whether this is Linux and JNA is on the class path. The first call takes a while. */
  static boolean areAvailable() {
    return ARE_AVAILABLE;
  }

  /**
   * Advises that a range, not written to yet, be of huge pages.
   *
   * @param address a multiple of {@link #BYTES}
   * @param bytes a multiple, too
   * @return whether the operating system has accepted it
   */
  static boolean advise(long address, long bytes) {
    return ARE_AVAILABLE
        && LibC.madvise(new Pointer(address), new NativeLong(bytes), LibC.MADV_HUGEPAGE) == 0;
  }

  /** Apart, so that the rest can be loaded where there is no JNA. */
  private static final class LibC {
    private static final int MADV_HUGEPAGE = 14;
    private static final boolean IS_AVAILABLE =
        Platform.isLinux() && Native.POINTER_SIZE == Long.BYTES;

    static {
      if (IS_AVAILABLE) {
        Native.register(LibC.class, "c");
      }
    }

    private LibC() {}

    static native int madvise(Pointer address, NativeLong length, int advice);
  }
}
