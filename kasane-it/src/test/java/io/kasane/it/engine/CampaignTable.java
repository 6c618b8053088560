/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One name of a campaign: whether there is a table of that name, and what must be in it. What is
 * told to the node is told to the model when it succeeded, or when a restarted node says so.
 */
final class CampaignTable {
  static final List<String> MEMTABLES = List.of("default", "faulty", "rocksdb");

  /** What an operator may do to its SSTables; scrub loses partitions that have range tombstones. */
  private static final List<String> MAINTENANCE =
      List.of("compact", "relocatesstables", "garbagecollect", "cleanup", "upgradesstables -a");

  private static final int PARTITIONS = 30;
  private static final int ROWS = 6;
  private static final int VALUES = 40;

  private final FaultyNode faulty;
  private final String name;
  private final Random random;
  private final List<Snapshot> snapshots = new ArrayList<>();
  private TreeMap<Integer, String> rows = new TreeMap<>();

  /** What was written last, and not acknowledged. */
  private final TreeMap<Integer, String> uncertain = new TreeMap<>();

  private UUID id;
  private UUID lastId;

  /**
   * Cassandra leaves the SSTables of what was dropped when it was killed; a twin would read them.
   */
  private final Set<UUID> halfDropped = new HashSet<>();

  private boolean isIndexed;

  /** A directory of SSTables, and the rows that must be in them. */
  private record Snapshot(Path directory, Map<Integer, String> rows) {}

  /** A change of the schema, or of all rows: it is done or it is not. */
  record Change(String cql, String what) {}

  CampaignTable(FaultyNode faulty, String name, Random random) {
    this.faulty = faulty;
    this.name = name;
    this.random = random;
  }

  boolean exists() {
    return id != null;
  }

  boolean hasSnapshots() {
    return !snapshots.isEmpty();
  }

  private CqlSession session() {
    return faulty.session();
  }

  @Override
  public String toString() {
    return name + (exists() ? " of " + rows.size() + " rows" : ", which is not there");
  }

  // ---- rows

  /**
   * Writes and deletes.
   *
   * @param mayFail whether what is not acknowledged is written again later, and no failure
   */
  void write(boolean mayFail) {
    int statements = 1 + random.nextInt(50);
    for (int i = 0; i < statements; i++) {
      int partition = random.nextInt(PARTITIONS);
      int c = random.nextInt(ROWS);
      int kind = random.nextInt(20);
      if (kind == 0) {
        delete("id = " + partition, partition * ROWS, (partition + 1) * ROWS, mayFail);
      } else if (kind == 1) {
        delete(
            "id = " + partition + " AND c >= " + c,
            partition * ROWS + c,
            (partition + 1) * ROWS,
            mayFail);
      } else if (kind < 5) {
        int row = partition * ROWS + c;
        delete("id = " + partition + " AND c = " + c, row, row + 1, mayFail);
      } else {
        put(partition * ROWS + c, "v" + random.nextInt(VALUES), mayFail);
      }
    }
  }

  private void put(int row, String value, boolean mayFail) {
    try {
      session()
          .execute(
              "INSERT INTO k." + name + " (id, c, v) VALUES (?, ?, ?)",
              row / ROWS,
              row % ROWS,
              value);
      uncertain.remove(row);
    } catch (DriverException e) {
      if (!mayFail) {
        throw e;
      }
      uncertain.put(row, value);
    }
    rows.put(row, value);
  }

  private void delete(String where, int from, int to, boolean mayFail) {
    try {
      session().execute("DELETE FROM k." + name + " WHERE " + where);
      rows.subMap(from, to).clear();
      uncertain.subMap(from, to).clear();
    } catch (DriverException e) {
      if (!mayFail) {
        throw e;
      }
      for (int row = from; row < to; row++) { // whatever became of it
        uncertain.put(row, "after");
        rows.put(row, "after");
      }
    }
  }

  /** Writes once more what was not acknowledged. */
  void settle() {
    new TreeMap<>(uncertain).forEach((row, value) -> put(row, value, false));
  }

  /** Looks for each row, by a scan, by a partition, and by the index if there is one. */
  void verify() throws IOException {
    require(read("SELECT id, c, v FROM k." + name), rows);
    int partition = random.nextInt(PARTITIONS);
    require(
        read("SELECT id, c, v FROM k." + name + " WHERE id = " + partition),
        new TreeMap<>(rows.subMap(partition * ROWS, (partition + 1) * ROWS)));
    if (isIndexed && isIndexBuilt()) {
      String value = "v" + random.nextInt(VALUES);
      TreeMap<Integer, String> of = new TreeMap<>(rows);
      of.values().removeIf(each -> !each.equals(value));
      require(read("SELECT id, c, v FROM k." + name + " WHERE v = '" + value + "'"), of);
    }
  }

  private void require(Map<Integer, String> found, Map<Integer, String> expected) {
    if (!found.equals(expected)) {
      throw new AssertionError(
          this + ": missing " + less(expected, found) + "; back " + less(found, expected));
    }
  }

  private static Set<String> less(Map<Integer, String> some, Map<Integer, String> others) {
    TreeSet<String> less = new TreeSet<>();
    some.forEach(
        (row, value) -> {
          if (!value.equals(others.get(row))) {
            less.add(row + "=" + value);
          }
        });
    return less;
  }

  private Map<Integer, String> read(String cql) {
    TreeMap<Integer, String> found = new TreeMap<>();
    for (Row row : session().execute(cql)) {
      found.put(row.getInt(0) * ROWS + row.getInt(1), row.getString(2));
    }
    return found;
  }

  /** Cassandra takes it for built before it has what is in engines. */
  private boolean isIndexBuilt() throws IOException {
    Path ledger = faulty.node().settings().slow().resolve(".kasane-engines");
    boolean isWanted =
        Files.exists(ledger) && Files.readString(ledger).contains(id + " _index_build");
    return !isWanted
        && session()
                .execute(
                    "SELECT * FROM system.\"IndexInfo\" WHERE table_name = 'k' AND index_name = ?",
                    name + "_v")
                .one()
            != null;
  }

  /** Whether the index that there is has been built. */
  boolean isReady() throws IOException {
    return !exists() || !isIndexed || isIndexBuilt();
  }

  // ---- changes

  Change create() {
    return new Change(definition("memtable = '" + anyMemtable() + "'"), "create");
  }

  Optional<Change> createAgain() {
    return Optional.ofNullable(lastId)
        .map(
            last ->
                new Change(
                    definition("ID = " + last + " AND memtable = '" + anyMemtable() + "'"),
                    "create again"));
  }

  private String definition(String with) {
    return "CREATE TABLE k."
        + name
        + " (id int, c int, v text, PRIMARY KEY (id, c)) WITH "
        + EngineNodes.and()
        + with;
  }

  private String anyMemtable() {
    return MEMTABLES.get(random.nextInt(MEMTABLES.size()));
  }

  Change alter(String memtable) {
    return new Change("ALTER TABLE k." + name + " WITH memtable = '" + memtable + "'", "alter");
  }

  Change alter() {
    return alter(anyMemtable());
  }

  Change drop() {
    return new Change("DROP TABLE k." + name, "drop");
  }

  Change truncate() {
    return new Change("TRUNCATE k." + name, "truncate");
  }

  Change index() {
    return isIndexed
        ? new Change("DROP INDEX k." + name + "_v", "drop index")
        : new Change("CREATE INDEX " + name + "_v ON k." + name + " (v)", "create index");
  }

  /** Tells the node, and waits. */
  void run(Change change, boolean makesSnapshots) throws IOException {
    session().execute(change.cql());
    adopt(change, makesSnapshots);
  }

  /** After a change that may have been cut off: the node says whether it came. */
  void resolve(Change change) throws IOException {
    try (NodeJmx jmx = faulty.node().jmx()) { // which starts before it replays its log
      jmx.invoke("org.apache.cassandra.db:type=StorageService", "reloadLocalSchema", List.of());
    }
    Row row = schema();
    boolean isThere = row != null;
    boolean came =
        switch (change.what()) {
          case "create", "create again" -> isThere;
          case "drop" -> !isThere;
          case "truncate" -> !rows.isEmpty() && read("SELECT id, c, v FROM k." + name).isEmpty();
          case "create index" -> hasIndex();
          case "drop index" -> !hasIndex();
          default -> true;
        };
    if (came) {
      if (change.what().startsWith("drop")) {
        halfDropped.add(id);
      }
      adopt(change, false);
      if (halfDropped.contains(lastId)) {
        lastId = null;
      }
    }
    assertThat(isThere).as(this + " in the schema").isEqualTo(exists());
  }

  private void adopt(Change change, boolean makesSnapshots) throws IOException {
    switch (change.what()) {
      case "create", "create again" -> {
        id = schema().getUuid("id");
        rows = new TreeMap<>();
      }
      case "drop" -> {
        if (makesSnapshots && !rows.isEmpty()) {
          snapshots.add(new Snapshot(lastSnapshot("dropped-"), new TreeMap<>(rows)));
        }
        lastId = id;
        id = null;
        isIndexed = false;
        rows = new TreeMap<>();
      }
      case "truncate" -> rows = new TreeMap<>();
      case "create index" -> isIndexed = true;
      case "drop index" -> isIndexed = false;
      default -> {}
    }
    uncertain.clear();
  }

  private Row schema() {
    return session()
        .execute(
            "SELECT id FROM system_schema.tables WHERE keyspace_name = 'k' AND table_name = ?",
            name)
        .one();
  }

  private boolean hasIndex() {
    return session()
            .execute(
                "SELECT * FROM system_schema.indexes WHERE keyspace_name = 'k' AND table_name = ?",
                name)
            .one()
        != null;
  }

  // ---- files

  void flush() {
    EngineNodes.flush(faulty.node(), name);
  }

  String anyMaintenance() {
    return MAINTENANCE.get(random.nextInt(MAINTENANCE.size()));
  }

  /** Some of it fails while the engine is out. */
  void maintain(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add(EngineNodes.KEYSPACE);
    words.add(name);
    nodetool(faulty.node(), words.toArray(String[]::new));
  }

  /** Takes one; throws if it cannot be. */
  void takeSnapshot(String tag) throws IOException {
    try (NodeJmx jmx = faulty.node().jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageService",
          "takeSnapshot",
          List.of(String.class, Map.class, String[].class),
          tag,
          Map.of(),
          new String[] {"k." + name});
    }
    if (!rows.isEmpty()) {
      snapshots.add(new Snapshot(lastSnapshot(tag), new TreeMap<>(rows)));
    }
  }

  private Path lastSnapshot(String prefix) throws IOException {
    Path all = directory(id).resolve("snapshots");
    try (Stream<Path> found = Files.list(all)) {
      return found
          .filter(each -> each.getFileName().toString().startsWith(prefix))
          .max(Comparator.comparing(each -> each.toFile().lastModified()))
          .orElseThrow(() -> new AssertionError("no snapshot " + prefix + "* in " + all));
    }
  }

  private Path directory(UUID of) {
    return faulty.node().settings().slow().resolve("k/" + name + "-" + text(of));
  }

  private static String text(UUID id) {
    return id.toString().replace("-", "");
  }

  /** Fills the table, which is empty, with the rows of a snapshot. */
  void restore(Path temporary) throws IOException {
    Snapshot from = snapshots.get(random.nextInt(snapshots.size()));
    Path copy = Files.createDirectories(temporary.resolve("k").resolve(name)); // asked for so
    try (Stream<Path> files = Files.list(from.directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String fileName = file.getFileName().toString();
        if (!fileName.equals("manifest.json") && !fileName.equals("schema.cql")) {
          Files.copy(file, copy.resolve(fileName));
        }
      }
    }
    try (NodeJmx jmx = faulty.node().jmx()) {
      Object failed =
          jmx.invoke(
              "org.apache.cassandra.db:type=Tables,keyspace=k,table=" + name,
              "importNewSSTables",
              List.of(
                  Set.class,
                  boolean.class,
                  boolean.class,
                  boolean.class,
                  boolean.class,
                  boolean.class,
                  boolean.class),
              Set.of(copy.toString()),
              true,
              true,
              true,
              true,
              true,
              true);
      assertThat((List<?>) failed).as("directories that were not taken").isEmpty();
    }
    rows = new TreeMap<>(from.rows);
    EngineNodes.deleteAll(temporary);
  }

  /** SSTables of dropped tables of this name that are not snapshots or backups. */
  List<Path> strayFiles() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(faulty.node().settings().slow().resolve("k"))) {
      for (Path file : files.filter(each -> each.toString().endsWith("-Data.db")).toList()) {
        String path = file.toString();
        if (path.contains("/k/" + name + "-")
            && !path.contains("/snapshots/")
            && !path.contains("/backups/")
            && halfDropped.stream().noneMatch(each -> path.contains(text(each)))) {
          found.add(file);
        }
      }
    }
    return found;
  }

  /** Nobody wants them any more. */
  void deleteSnapshots() throws IOException {
    snapshots.clear();
    try (Stream<Path> directories = Files.list(faulty.node().settings().slow().resolve("k"))) {
      for (Path each : directories.toList()) {
        if (each.getFileName().toString().startsWith(name + "-")
            && Files.exists(each.resolve("snapshots"))) {
          EngineNodes.deleteAll(each.resolve("snapshots"));
        }
      }
    }
  }
}
