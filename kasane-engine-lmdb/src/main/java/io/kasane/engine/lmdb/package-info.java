/* SPDX-License-Identifier: Apache-2.0 */
/** LMDB: an embedded B+ tree that copies pages it changes, and reads from memory-mapped files. */
package io.kasane.engine.lmdb;
