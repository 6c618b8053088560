/* SPDX-License-Identifier: Apache-2.0 */
/** The seam of engines over tables of MariaDB's InnoDB. No Cassandra. */
package io.kasane.engine.innodb;
