/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

/**
 * One contiguous piece of one file that a disk reads or writes.
 *
 * @param fileId tells files apart
 * @param offset where it begins in the file, in bytes
 * @param bytes how long it is, at least 1
 * @param write whether it is written
 */
public record Request(long fileId, long offset, long bytes, boolean write) {}
