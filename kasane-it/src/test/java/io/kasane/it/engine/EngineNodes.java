/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.node.Distribution;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Words that tests of storage engines share. */
final class EngineNodes {
  static final String KEYSPACE = "k";

  private static final String MEMTABLE = "io.kasane.engine.memtable.EngineMemtable";

  /** Whether nodes are set up as Cassandra's newest settings are, and more that is not usual. */
  static final boolean IS_LATEST = Boolean.getBoolean("kasane.engine.latest");

  /** Rows that are written at a time. */
  private static final int IN_FLIGHT = 100;

  private EngineNodes() {}

  /** The same jars but for those of Kasane's whose names are not wanted, and others. */
  static Distribution distribution(Path dir, Predicate<String> isWanted, Path... others)
      throws IOException {
    Distribution real = Distribution.locate();
    Path from = real.home().resolve("lib");
    Path to = Files.createDirectories(dir.resolve("lib"));
    for (String lib : List.of("cassandra", "cli")) {
      Files.createSymbolicLink(to.resolve(lib), from.resolve(lib));
    }
    Path kasane = Files.createDirectories(to.resolve("kasane"));
    for (Path part : real.kasaneLibs()) {
      try (Stream<Path> jars = Files.list(part)) {
        for (Path jar : jars.toList()) {
          if (isWanted.test(jar.getFileName().toString())) {
            Files.createSymbolicLink(kasane.resolve(jar.getFileName()), jar);
          }
        }
      }
    }
    for (Path jar : others) {
      Files.createSymbolicLink(kasane.resolve(jar.getFileName()), jar);
    }
    return new Distribution(dir);
  }

  /** The jar with the engine whose faults a file says. */
  static Path faultyJar() throws IOException {
    Path target = Path.of("").toAbsolutePath().getParent().resolve("kasane-engine/target");
    try (Stream<Path> jars = Files.list(target)) {
      return jars.filter(jar -> jar.toString().endsWith("-tests.jar")).findFirst().orElseThrow();
    }
  }

  /** Names of memtables, each of its engine; null for Cassandra's own. */
  static void memtables(NodeSettings.Builder settings, Map<String, String> engineByName) {
    Map<String, Object> names = new LinkedHashMap<>();
    engineByName.forEach(
        (name, engine) ->
            names.put(
                name,
                engine.isEmpty()
                    ? Map.of("class_name", MEMTABLE)
                    : Map.of("class_name", MEMTABLE, "parameters", Map.of("engine", engine))));
    settings.yaml("memtable", Map.of("configurations", names));
    if (IS_LATEST) {
      latest(settings);
    }
  }

  /** What cassandra_latest.yaml says otherwise, CDC, a commit log in groups, no assertions. */
  private static void latest(NodeSettings.Builder settings) {
    settings
        .yaml("memtable_allocation_type", "offheap_objects")
        .yaml("sstable", Map.of("selected_format", "bti"))
        .yaml("column_index_size", "4KiB")
        .yaml("uuid_sstable_identifiers_enabled", true)
        .yaml("storage_compatibility_mode", "NONE")
        .yaml("trickle_fsync", true)
        .yaml(
            "default_compaction",
            Map.of(
                "class_name",
                "UnifiedCompactionStrategy",
                "parameters",
                Map.of("scaling_parameters", "T4", "target_sstable_size", "1GiB")))
        .yaml("cdc_enabled", true)
        .yaml("cdc_block_writes", false)
        .yaml("commitlog_sync", "group")
        .yaml("commitlog_sync_group_window", "10ms")
        .yaml("commitlog_sync_period", null)
        .jvmFlag("-da");
  }

  /** How tables are made there, after a WITH. */
  static String and() {
    return IS_LATEST ? "cdc = true AND " : "";
  }

  static void createKeyspace(CqlSession session, int replicas) {
    session.setSchemaMetadataEnabled(false);
    session.execute(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
            + replicas
            + "}");
  }

  static void createTable(CqlSession session, String table, String memtable) {
    session.execute(
        "CREATE TABLE k."
            + table
            + " (id int, c int, v text, PRIMARY KEY (id, c)) WITH "
            + and()
            + "memtable = '"
            + memtable
            + "'");
  }

  static void write(CqlSession session, String table, int from, int to) {
    PreparedStatement insert =
        session.prepare("INSERT INTO k." + table + " (id, c, v) VALUES (?, ?, ?)");
    for (int first = from; first < to; first += IN_FLIGHT) {
      List<CompletionStage<AsyncResultSet>> written = new ArrayList<>();
      for (int id = first; id < Math.min(to, first + IN_FLIGHT); id++) {
        written.add(session.executeAsync(insert.bind(id, id % 7, "v" + id)));
      }
      written.forEach(each -> each.toCompletableFuture().join());
    }
  }

  /** How many rows a scan finds. */
  static long count(CqlSession session, String table) {
    return session.execute("SELECT COUNT(*) FROM k." + table).one().getLong(0);
  }

  /** Whether an engine may have rows of a table, as the node shows it. */
  static boolean mayHaveRows(CqlSession session, String table) {
    return session
        .execute(
            "SELECT may_have_rows FROM kasane_views.engine_tables"
                + " WHERE keyspace_name = 'k' AND table_name = ?",
            table)
        .all()
        .stream()
        .anyMatch(row -> row.getBoolean(0));
  }

  /** The SSTables of a table's directory, those that Cassandra reads and those that it does not. */
  static List<Path> sstables(LocalNode node, String table) {
    Path keyspace = node.settings().slow().resolve(KEYSPACE);
    List<Path> sstables = new ArrayList<>();
    try (Stream<Path> found = Files.list(keyspace)) {
      List<Path> directories = // an earlier table of the name may have left one, with snapshots
          found
              .filter(directory -> directory.getFileName().toString().startsWith(table + "-"))
              .toList();
      assertThat(directories).as("directories of %s", table).isNotEmpty();
      for (Path directory : directories) {
        try (Stream<Path> files = Files.list(directory)) {
          files.filter(file -> file.toString().endsWith("-Data.db")).forEach(sstables::add);
        }
      }
      return sstables;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  static void flush(LocalNode node, String... tables) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush(KEYSPACE, tables);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
