/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.inprocess;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Tests that need {@link InProcessCassandra}: they run in a JVM apart from other tests. */
@Tag("in-process")
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface InProcess {}
