/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import java.io.IOException;

/** One change of a plan. Done twice it is done once. */
interface Step {
  /** What it would change, as text to read; a diff where it is a file of text. */
  String shown();

  /** Changes it. */
  void run() throws IOException;
}
