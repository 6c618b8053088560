/* SPDX-License-Identifier: Apache-2.0 */
/** When is a request done? Models of disks, without threads, files or a clock of their own. */
package io.kasane.disk.model;
