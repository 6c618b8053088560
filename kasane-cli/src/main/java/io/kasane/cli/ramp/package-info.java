/** The command line of read-atomic transactions. */
package io.kasane.cli.ramp;
