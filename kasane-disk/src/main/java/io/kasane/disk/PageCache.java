/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The machine's memory for files, which all disks of a process share: what was read or written
 * lately is read again for nothing. As in Linux there are two lists: a page enters the first, and
 * is taken over by the second when it is used again; the second holds half of the pages at most, so
 * that a scan drives out what was used once and not what is used all the time. Thread-safe.
 */
final class PageCache {
  static final int PAGE_BYTES = 4096;

  private final long capacityPages;
  private final Map<Page, Boolean> usedOnce = new LinkedHashMap<>();
  private final Map<Page, Boolean> usedAgain = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Long, Integer> generations = new ConcurrentHashMap<>();

  /**
   * A page of a file.
   *
   * @param generation tells a file from an earlier one with the same id
   */
  private record Page(long fileId, int generation, long number) {}

  /** Memory of this many bytes; 0 for none. */
  PageCache(long capacityBytes) {
    this.capacityPages = capacityBytes / PAGE_BYTES;
  }

  /** Uses these bytes of a file; returns whether all of them were in memory. */
  boolean use(long fileId, long from, long to) {
    if (capacityPages == 0) {
      return false;
    }
    synchronized (this) {
      int generation = generation(fileId);
      boolean all = true;
      for (long number = from / PAGE_BYTES; number <= (to - 1) / PAGE_BYTES; number++) {
        all &= use(new Page(fileId, generation, number));
      }
      return all;
    }
  }

  private boolean use(Page page) {
    if (usedAgain.get(page) != null) {
      return true;
    }
    if (usedOnce.remove(page) == null) {
      return false;
    }
    usedAgain.put(page, true);
    if (usedAgain.size() > capacityPages / 2) {
      usedOnce.put(removeEldest(usedAgain), true);
    }
    return true;
  }

  /** Takes these bytes of a file into memory, since they were read or written. */
  void add(long fileId, long from, long to) {
    if (capacityPages == 0) {
      return;
    }
    synchronized (this) {
      int generation = generation(fileId);
      for (long number = from / PAGE_BYTES; number <= (to - 1) / PAGE_BYTES; number++) {
        Page page = new Page(fileId, generation, number);
        if (usedAgain.get(page) == null) {
          usedOnce.putIfAbsent(page, true);
        }
      }
      while (usedOnce.size() + usedAgain.size() > capacityPages) {
        removeEldest(usedOnce.isEmpty() ? usedAgain : usedOnce);
      }
    }
  }

  /** Forgets a file that is gone: another one may get its id. Its pages age out. */
  void drop(long fileId) {
    generations.merge(fileId, 1, Integer::sum);
  }

  private int generation(long fileId) {
    return generations.getOrDefault(fileId, 0);
  }

  private static Page removeEldest(Map<Page, Boolean> pages) {
    Iterator<Page> eldest = pages.keySet().iterator();
    Page page = eldest.next();
    eldest.remove();
    return page;
  }
}
