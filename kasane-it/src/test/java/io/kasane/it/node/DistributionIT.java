/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a build leaves says under which terms it is. */
class DistributionIT {
  private static final Path HOME = Path.of(System.getProperty("kasane.home"));
  private static final String VERSION = "-\\d.*";

  @Test
  void everyJarOfOthersIsListedWithItsLicence() throws IOException {
    String list = Files.readString(HOME.resolve("licenses/README.md"));
    List<String> jars = jars().stream().map(DistributionIT::name).toList();
    assertThat(jars).contains("picocli", "rocksdbjni");
    assertThat(jars.stream().filter(jar -> !jar.startsWith("kasane-")))
        .allSatisfy(jar -> assertThat(list).contains("`" + jar + "`"));
  }

  @Test
  void everyJarOfOursHasLicenceAndNotice() throws IOException {
    List<Path> ours = jars().stream().filter(jar -> name(jar).startsWith("kasane-")).toList();
    assertThat(ours).hasSizeGreaterThan(5);
    for (Path jar : ours) {
      try (JarFile file = new JarFile(jar.toFile())) {
        assertThat(file.getEntry("META-INF/LICENSE")).as("licence in %s", jar).isNotNull();
        assertThat(file.getEntry("META-INF/NOTICE")).as("notice in %s", jar).isNotNull();
      }
    }
  }

  private static List<Path> jars() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String of : List.of("cli", "kasane", "arena", "engines")) {
      try (Stream<Path> files = Files.list(HOME.resolve("lib").resolve(of))) {
        files.filter(file -> file.toString().endsWith(".jar")).forEach(jars::add);
      }
    }
    return jars;
  }

  /** The native half of a jar is under the same licence. */
  private static String name(Path jar) {
    return jar.getFileName().toString().replaceFirst(VERSION, "");
  }
}
