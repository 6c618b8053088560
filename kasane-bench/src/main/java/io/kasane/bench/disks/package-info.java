/* SPDX-License-Identifier: Apache-2.0 */
/** Are the modelled disks as fast as they say? Measured through the file system, in real time. */
package io.kasane.bench.disks;
