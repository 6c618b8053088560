/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.sstables.LeftOvers;
import io.kasane.engine.sstables.SnapshotCopies;
import io.kasane.engine.sstables.Truncations;
import java.time.Duration;

/**
 * What memtables need of their node.
 *
 * @param switchedOut gets those that were switched out
 * @param patience how long a flush may stand still in an engine
 */
public record EngineMemtableContext(
    NodeEngines engines,
    Truncations truncations,
    SnapshotCopies copies,
    LeftOvers leftOvers,
    SwitchedMemtables switchedOut,
    Duration patience) {}
