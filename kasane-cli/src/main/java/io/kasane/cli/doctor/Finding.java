/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

/**
 * One line of the doctor's report.
 *
 * @param level how bad it is
 * @param subject what was looked at
 * @param text what was seen and, unless all is well, what to do
 */
public record Finding(Level level, String subject, String text) {
  /** How bad a finding is. */
  public enum Level {
    /** As it should be. */
    OK,
    /** Works, with a drawback that the text names. */
    WARN,
    /** A node would not start, or would soon stop. */
    FAIL
  }

  static Finding ok(String subject, String text) {
    return new Finding(Level.OK, subject, text);
  }

  static Finding warn(String subject, String text) {
    return new Finding(Level.WARN, subject, text);
  }

  static Finding fail(String subject, String text) {
    return new Finding(Level.FAIL, subject, text);
  }
}
