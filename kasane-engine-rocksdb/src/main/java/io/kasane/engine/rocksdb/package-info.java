/* SPDX-License-Identifier: Apache-2.0 */
/** RocksDB: an embedded log-structured merge tree. */
package io.kasane.engine.rocksdb;
