/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which way the rooms import. */
class BenchArchitectureTest {
  private static final String BENCH = "io.kasane.bench";

  /** The bottom one first. */
  private static final List<String> ROOMS =
      List.of(
          "load",
          "lab",
          "rig",
          "report",
          "disks",
          "heat",
          "compact",
          "engines",
          "kinds",
          "windows",
          "tier",
          "node",
          "arena",
          "ramp.lock",
          "ramp.system",
          "ramp.load",
          "ramp",
          "ramp.demo",
          "rdma.store",
          "rdma.client",
          "rdma",
          "demo");

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(Path.of("target/classes"));

  @Test
  void roomsImportDownwards() {
    for (int i = 0; i < ROOMS.size(); i++) {
      List<String> above = new ArrayList<>(List.of(BENCH));
      ROOMS.subList(i + 1, ROOMS.size()).forEach(room -> above.add(BENCH + "." + room));
      noClasses()
          .that()
          .resideInAPackage(BENCH + "." + ROOMS.get(i))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(above.toArray(String[]::new))
          .because("what a room does must be clear without those above it")
          .check(CLASSES);
    }
  }

  @Test
  void allRoomsAreListed() {
    assertThat(
            CLASSES.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(BENCH + "."))
                .map(name -> name.substring(BENCH.length() + 1))
                .filter(name -> !name.contains("jmh_generated"))
                .collect(Collectors.toSet()))
        .isSubsetOf(ROOMS);
  }
}
