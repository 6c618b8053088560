/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Arrows between the modules point down only, and files stay small. */
class ArchitectureTest {
  private static final String DISK = "io.kasane.disk..";
  private static final String HEAT = "io.kasane.heat..";
  private static final String HOST = "io.kasane.host..";
  private static final String COPIES = "io.kasane.copies..";
  private static final String TIER = "io.kasane.tier..";
  private static final String[] CONTROL = {
    "io.kasane.copies.control..", "io.kasane.tier.control.."
  };
  private static final String BASELINES = "io.kasane.baselines..";
  private static final String ENGINE = "io.kasane.engine..";
  private static final String ENGINE_SPI = "io.kasane.engine.spi..";
  private static final String ENGINE_KEYS = "io.kasane.engine.trie..";
  private static final String ENGINE_ROWS = "io.kasane.engine.rows..";
  private static final String ENGINE_VIEW = "io.kasane.engine.view..";
  private static final String ENGINE_LMDB = "io.kasane.engine.lmdb..";
  private static final String ENGINE_ROCKSDB = "io.kasane.engine.rocksdb..";
  private static final String ENGINE_REDIS = "io.kasane.engine.redis..";
  private static final String ENGINE_INNODB = "io.kasane.engine.innodb..";
  private static final String ARENA = "io.kasane.arena";
  private static final String RDMA = "io.kasane.rdma";
  private static final String ARENA_NODE = "io.kasane.arena.node..";
  private static final String NODE = "io.kasane.node..";
  private static final String CLI = "io.kasane.cli..";
  private static final String BENCH = "io.kasane.bench..";
  private static final String RAMP = "io.kasane.ramp..";
  private static final String RAMP_VERSION = "io.kasane.ramp.version..";
  private static final String RAMP_STORE = "io.kasane.ramp.store..";
  private static final String RAMP_PROTOCOL = "io.kasane.ramp.protocol..";
  private static final String RAMP_CQL = "io.kasane.ramp.cql..";
  private static final String CASSANDRA = "org.apache.cassandra..";

  private static final int MAX_FILE = 500;

  /** A longer file says why in its header, behind this word. */
  private static final String LONG_BECAUSE = "Long because";

  private static Path root;
  private static JavaClasses classes;

  @BeforeAll
  static void importModules() throws IOException {
    // The module's own directory is the current one, in Maven as in an IDE.
    root = Path.of("").toAbsolutePath().getParent();
    try (Stream<Path> modules = Files.list(root)) {
      List<Path> compiled =
          modules
              .filter(module -> module.getFileName().toString().startsWith("kasane-"))
              .map(module -> module.resolve("target/classes"))
              .filter(Files::isDirectory)
              .toList();
      assertThat(compiled).contains(root.resolve("kasane-node/target/classes"));
      classes = new ClassFileImporter().importPaths(compiled);
    }
  }

  private static void check(ArchRule rule) {
    // A module without classes yet breaks no rule.
    rule.allowEmptyShould(true).check(classes);
  }

  @Test
  void heatStandsAlone() {
    check(
        noClasses()
            .that()
            .resideInAPackage(HEAT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HOST, COPIES, TIER, NODE, CLI, BENCH, CASSANDRA)
            .because("policies must run in a simulator, without a node"));
  }

  @Test
  void diskStandsAlone() {
    check(
        noClasses()
            .that()
            .resideInAPackage(DISK)
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(DISK, "java..", "javax.management..")
            .because("it lies beneath the class path of any program"));
  }

  @Test
  void arenasStandAlone() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ARENA)
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(ARENA, "java..", "javax.crypto..")
            .because("applications have them on their class path"));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(RDMA + ".client", RDMA + ".wire")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                RDMA + ".client", RDMA + ".wire", RDMA + ".ucx", ARENA, "java..", "javax.net.ssl..")
            .because("applications have them on their class path")
            .allowEmptyShould(true)); // where it is not built yet
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(RDMA + ".ucx", BENCH)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.openucx..")
            .because("where OpenUCX is not, nothing else may miss it")
            .allowEmptyShould(true));
    check(
        noClasses()
            .that()
            .resideInAPackage(ARENA_NODE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HEAT, COPIES, TIER, ENGINE, NODE, CLI, BENCH, RAMP)
            .because("a node has them whatever its tables are"));
  }

  @Test
  void onlyBenchUsesModelledDisks() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(HEAT, HOST, COPIES, TIER, NODE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(DISK)
            .because("they are for experiments"));
  }

  @Test
  void heatTakesItsClockAndItsThreads() {
    check(
        noClasses()
            .that()
            .resideInAPackage(HEAT)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callConstructor(Thread.class)
            .orShould()
            .callConstructor(Thread.class, Runnable.class)
            .orShould()
            .callConstructor(Thread.class, String.class)
            .orShould()
            .callConstructor(Thread.class, Runnable.class, String.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.util.concurrent.Executors.class)
            .because("a replay must give the same answer every time"));
  }

  @Test
  void hostKnowsCassandraOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage(HOST)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HEAT, COPIES, TIER, NODE, CLI, BENCH)
            .because("the wall to Cassandra carries no policy"));
  }

  @Test
  void copiesStandOnHeatAndHost() {
    check(
        noClasses()
            .that()
            .resideInAPackage(COPIES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(TIER, ENGINE, NODE, BENCH)
            .because("which copies are worth it is for others to say"));
  }

  @Test
  void tierStandsOnHeatHostAndCopies() {
    check(
        noClasses()
            .that()
            .resideInAPackage(TIER)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(NODE, CLI, BENCH, BASELINES)
            .because("a server module must not need the command line"));
  }

  /** The bottom one first. */
  private static final List<String> PACKAGES_OF_HEAT =
      List.of("key", "table", "hotset", "track", "policy", "file");

  /** The bottom one first. */
  private static final List<String> PACKAGES_OF_HOST =
      List.of(
          "refuse", "config", "view", "route", "claim", "fast", "read", "memtable", "internals");

  /** The bottom one first. */
  private static final List<String> PACKAGES_OF_TIER =
      List.of(
          "control",
          "sstables",
          "place",
          "pick",
          "quota",
          "options",
          "stats",
          "hot",
          "write",
          "admission",
          "table",
          "view");

  /** The bottom one first. */
  private static final List<String> PACKAGES_OF_COPIES =
      List.of("control", "sstables", "skipindex", "promote");

  /** The bottom one first. */
  private static final List<String> PACKAGES_OF_ENGINE =
      List.of(
          "spi",
          "server",
          "trie",
          "rows",
          "health",
          "ledger",
          "node",
          "sstables",
          "memtable",
          "migrate",
          "view",
          "lmdb",
          "rocksdb",
          "redis",
          "innodb");

  @Test
  void packagesOfEngineImportDownwards() {
    importDownwards("io.kasane.engine", PACKAGES_OF_ENGINE);
  }

  private static void importDownwards(String root, List<String> packages) {
    assertThat(
            classes.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(root + "."))
                .map(name -> name.substring(root.length() + 1))
                .collect(Collectors.toSet()))
        .as("packages of %s", root)
        .isSubsetOf(packages);
    for (int i = 0; i < packages.size(); i++) {
      List<String> above = new ArrayList<>(List.of(root));
      packages.subList(i + 1, packages.size()).forEach(each -> above.add(root + "." + each));
      check(
          noClasses()
              .that()
              .resideInAPackage(root + "." + packages.get(i))
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(above.toArray(String[]::new))
              .because("what a package does must be clear without those above it"));
    }
  }

  @Test
  void packagesOfTierImportDownwards() {
    importDownwards("io.kasane.tier", PACKAGES_OF_TIER);
    assertThat(packagesOf("io.kasane.tier")).isSubsetOf(PACKAGES_OF_TIER);
  }

  @Test
  void packagesOfHeatImportDownwards() {
    importDownwards("io.kasane.heat", PACKAGES_OF_HEAT);
  }

  @Test
  void packagesOfHostImportDownwards() {
    importDownwards("io.kasane.host", PACKAGES_OF_HOST);
  }

  @Test
  void packagesOfCopiesImportDownwards() {
    importDownwards("io.kasane.copies", PACKAGES_OF_COPIES);
    assertThat(packagesOf("io.kasane.copies")).isSubsetOf(PACKAGES_OF_COPIES);
  }

  private static Set<String> packagesOf(String root) {
    return classes.stream()
        .map(JavaClass::getPackageName)
        .filter(name -> name.startsWith(root + "."))
        .map(name -> name.substring(root.length() + 1))
        .collect(Collectors.toSet());
  }

  @Test
  void controllersTakeTheirClock() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(CONTROL)
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(CONTROL[0], CONTROL[1], HEAT, "java..")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .because("what they decide must be tried without a node, in no time"));
  }

  @Test
  void enginesKnowTheSeamOnly() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                ENGINE_SPI, ENGINE_KEYS, ENGINE_LMDB, ENGINE_ROCKSDB, ENGINE_REDIS, ENGINE_INNODB)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ENGINE_ROWS, HEAT, HOST, COPIES, TIER, NODE, CLI, BENCH, CASSANDRA)
            .because("what rows mean is above the seam, once"));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(ENGINE_SPI, ENGINE_KEYS, ENGINE_ROWS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ENGINE_LMDB, ENGINE_ROCKSDB, ENGINE_REDIS, ENGINE_INNODB)
            .because("engines are found by what they provide"));
  }

  @Test
  void engineStandsOnHost() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ENGINE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HEAT, COPIES, TIER, NODE, CLI, BENCH)
            .because("a user needs the modules of the features they switch on only"));
  }

  @Test
  void enginesWorkWhetherAnybodyLooksOrNot() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.kasane.engine.*..")
            .and()
            .resideOutsideOfPackage(ENGINE_VIEW)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ENGINE_VIEW)
            .because("views and metrics read what engines do, and change nothing"));
  }

  @Test
  void nodeLoadsNoServerClass() {
    check(
        noClasses()
            .that()
            .resideInAPackage(NODE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ENGINE, HEAT, HOST, COPIES, TIER, CLI, BENCH, CASSANDRA)
            .because("a node is another process, reached over CQL and JMX"));
  }

  @Test
  void rampStandsAlone() {
    check(
        noClasses()
            .that()
            .resideInAPackage(RAMP)
            .and()
            .resideOutsideOfPackage(RAMP_CQL)
            .should()
            .dependOnClassesThat(
                resideInAPackage(RAMP_CQL)
                    .or(resideOutsideOfPackages(RAMP, "java..", "javax.crypto..")))
            .because("the protocols run over any store, and in a simulator"));
  }

  @Test
  void packagesOfRampImportDownwards() {
    check(
        noClasses()
            .that()
            .resideInAPackage(RAMP_VERSION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(RAMP_STORE, RAMP_PROTOCOL));
    check(
        noClasses()
            .that()
            .resideInAPackage(RAMP_STORE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(RAMP_PROTOCOL));
  }

  @Test
  void nobodyBelowUsesRamp() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(DISK, HEAT, HOST, COPIES, TIER)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(RAMP)
            .because("servers know nothing of what clients agree on"));
  }

  @Test
  void noFileIsLongWithoutAReason() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> tooLong =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !root.relativize(file).toString().contains("target"))
              .filter(ArchitectureTest::isTooLong)
              .toList();
      assertThat(tooLong)
          .as("files over %d lines without '%s' in the header", MAX_FILE, LONG_BECAUSE)
          .isEmpty();
    }
  }

  private static boolean isTooLong(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.size() > MAX_FILE
          && lines.stream().limit(40).noneMatch(line -> line.contains(LONG_BECAUSE));
    } catch (IOException e) {
      throw new AssertionError("cannot read " + file, e);
    }
  }
}
