/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.internals;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.util.File;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whether this version of Cassandra tells what is open; on real nodes it is seen to be so. */
class OpenSSTablesTest {
  @BeforeAll
  static void start() {
    DatabaseDescriptor.clientInitialization(false);
  }

  @Test
  void shouldKnowThatNobodyReadsWhatIsNotThere() {
    Descriptor sstable =
        Descriptor.fromFile(
            new File("/data/k/t-00112233445566778899aabbccddeeff/nb-1-big-Data.db"));
    assertThat(OpenSSTables.mayContain(sstable)).isFalse();
  }
}
