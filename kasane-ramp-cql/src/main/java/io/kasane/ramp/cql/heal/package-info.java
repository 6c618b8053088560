/** Finds transactions of which storage lost a part, and heals them. */
package io.kasane.ramp.cql.heal;
