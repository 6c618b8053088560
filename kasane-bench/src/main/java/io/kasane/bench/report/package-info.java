/* SPDX-License-Identifier: Apache-2.0 */
/** What an experiment leaves behind: a folder of numbers, pictures and words. */
package io.kasane.bench.report;
