/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Disks of chosen speed and size under any Java process: a file system that makes each request wait
 * until a model of the disk has served it.
 */
package io.kasane.disk;
