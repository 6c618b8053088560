/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the command line is made of, and which way its packages import. */
class CliArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(Path.of("target/classes"));

  @Test
  void knowsTheLauncherAndTransactionsOnly() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.kasane.bench..",
            "io.kasane.disk..",
            "io.kasane.engine..",
            "io.kasane.heat..",
            "io.kasane.host..",
            "io.kasane.tier..",
            "org.apache.cassandra..")
        .because("a node is another process, reached over CQL and JMX")
        .check(CLASSES);
  }

  @Test
  void packagesImportDownwards() {
    noClasses()
        .that()
        .resideInAPackage("io.kasane.cli.doctor")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.kasane.cli", "io.kasane.cli.command", "io.kasane.cli.ramp")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("io.kasane.cli.command")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.kasane.cli", "io.kasane.cli.ramp")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("io.kasane.cli.ramp")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.kasane.cli")
        .check(CLASSES);
  }
}
