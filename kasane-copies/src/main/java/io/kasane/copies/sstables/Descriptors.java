/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** The names of SSTables. */
public final class Descriptors {
  private Descriptors() {}

  public static List<Descriptor> of(Collection<SSTableReader> sstables) {
    return sstables.stream().map(sstable -> sstable.descriptor).collect(Collectors.toList());
  }
}
