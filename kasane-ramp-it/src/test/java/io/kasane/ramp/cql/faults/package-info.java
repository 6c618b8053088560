/** What transactions promise while nodes and clients are killed. */
package io.kasane.ramp.cql.faults;
