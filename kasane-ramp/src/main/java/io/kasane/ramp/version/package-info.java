/* SPDX-License-Identifier: Apache-2.0 */
/** What is stored: keys, timestamps, versions and their bytes. */
package io.kasane.ramp.version;
