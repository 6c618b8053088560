/* SPDX-License-Identifier: Apache-2.0 */
/** The default file system of a process, with some of its directories on modelled disks. */
package io.kasane.disk.fs;
