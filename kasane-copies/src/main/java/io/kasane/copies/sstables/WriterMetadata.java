/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.function.Supplier;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.utils.TimeUUID;

/**
 * The metadata that new SSTables get: repair status, age of their data, header.
 *
 * @param isFlushed whether their rows come from memory, so that incremental backups want them
 * @param maxDataAgeMillis age of their newest data, for truncation
 * @param metadata one for each SSTable
 */
public record WriterMetadata(
    boolean isFlushed,
    long repairedAt,
    TimeUUID pendingRepair,
    boolean isTransient,
    long maxDataAgeMillis,
    SerializationHeader header,
    Supplier<MetadataCollector> metadata) {}
