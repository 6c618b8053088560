/* SPDX-License-Identifier: Apache-2.0 */
/** Real disks for experiments: directories that a user names, or throttled loop devices. */
package io.kasane.bench.rig;
