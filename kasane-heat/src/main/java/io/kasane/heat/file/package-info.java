/* SPDX-License-Identifier: Apache-2.0 */
/** Heat on disk, in files that nobody but their owner may read. */
package io.kasane.heat.file;
