/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

/** Sorts numbers by a time that each of them has. */
final class Sorting {
  private Sorting() {}

  /** A sorted copy, by merging runs that double; equal times keep their order. */
  static int[] byTimes(int[] numbers, long[] times) {
    int size = numbers.length;
    int[] places = new int[size];
    for (int i = 0; i < size; i++) {
      places[i] = i;
    }
    int[] target = new int[size];
    for (int run = 1; run < size; run *= 2) {
      for (int from = 0; from < size; from += 2 * run) {
        merge(
            places,
            target,
            times,
            from,
            Math.min(from + run, size),
            Math.min(from + 2 * run, size));
      }
      int[] swapped = places;
      places = target;
      target = swapped;
    }
    for (int i = 0; i < size; i++) {
      target[i] = numbers[places[i]];
    }
    return target;
  }

  private static void merge(int[] source, int[] target, long[] times, int from, int mid, int to) {
    int left = from;
    int right = mid;
    for (int i = from; i < to; i++) {
      boolean takeLeft = left < mid && (right >= to || times[source[left]] <= times[source[right]]);
      target[i] = takeLeft ? source[left++] : source[right++];
    }
  }
}
