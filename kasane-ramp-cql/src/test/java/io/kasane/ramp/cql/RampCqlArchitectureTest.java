/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What an application gets with this jar, and which way its packages import. */
class RampCqlArchitectureTest {
  private static final String API = "io.kasane.ramp.cql";
  private static final String STORE = "io.kasane.ramp.cql.store..";
  private static final String SCHEMA = "io.kasane.ramp.cql.schema..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(Path.of("target/classes"));

  @Test
  void knowsTheProtocolsAndTheDriverOnly() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages(
            "io.kasane.ramp..",
            "io.kasane.arena",
            "io.kasane.rdma.client",
            "io.kasane.rdma.wire",
            "com.datastax.oss.driver..",
            "com.fasterxml.jackson..",
            "java..")
        .because("an application gets four jars beside its driver and the driver's own")
        .check(CLASSES);
  }

  @Test
  void packagesImportDownwards() {
    noClasses()
        .that()
        .resideInAPackage(STORE)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(API)
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(SCHEMA)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(API, STORE)
        .check(CLASSES);
  }
}
