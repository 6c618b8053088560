/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sim;

/**
 * Rows by how often they are asked for, in classes of like rows: billions of them are as many
 * numbers as there are classes. By Zipf's law; the classes are of like ranks.
 */
final class Popularity {
  static final int CLASSES = 32;

  final double[] rows = new double[CLASSES];

  /** The chance that an access is to one certain row of the class. */
  final double[] chance = new double[CLASSES];

  Popularity(double allRows, double zipf) {
    double from = 1;
    double sum = integral(1, allRows + 1, zipf);
    for (int i = 0; i < CLASSES; i++) {
      double to = Math.pow(allRows + 1, (i + 1.0) / CLASSES);
      rows[i] = to - from;
      chance[i] = rows[i] == 0 ? 0 : integral(from, to, zipf) / sum / rows[i];
      from = to;
    }
  }

  private static double integral(double from, double to, double zipf) {
    return (Math.pow(to, 1 - zipf) - Math.pow(from, 1 - zipf)) / (1 - zipf);
  }

  /** How many different rows so many accesses are to. */
  double[] distinct(double accesses) {
    double[] some = new double[CLASSES];
    for (int i = 0; i < CLASSES; i++) {
      some[i] = -rows[i] * Math.expm1(-accesses * chance[i]);
    }
    return some;
  }

  /** Of each class, which share is hot if the hottest so many rows are. */
  double[] hotShare(double hotRows) {
    double[] share = new double[CLASSES];
    double left = hotRows;
    for (int i = 0; i < CLASSES; i++) {
      share[i] = Math.max(0, Math.min(1, left / rows[i]));
      left -= rows[i];
    }
    return share;
  }

  static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }
}
