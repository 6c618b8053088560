/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import io.kasane.node.views.TableView;

/**
 * What the load and the node said at one moment.
 *
 * @param seconds since the load began
 * @param operations answered until then
 * @param view the node's view of the table
 */
record Sample(double seconds, long operations, TableView view) {

  double operationsPerSecondSince(Sample earlier) {
    return (operations - earlier.operations) / (seconds - earlier.seconds);
  }

  double fastShareSince(Sample earlier) {
    return view.fastShareSince(earlier.view);
  }
}
