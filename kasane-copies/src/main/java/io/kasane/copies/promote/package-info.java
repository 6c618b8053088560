/* SPDX-License-Identifier: Apache-2.0 */
/** From a read that found a row on slow to its copy on fast. */
package io.kasane.copies.promote;
