/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.ByteSize;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Plans to put Kasane into an installed Cassandra, and to take it out. */
final class Installation {
  private static final String SYSTEM = "system";
  private static final Pattern SAVED_HEAT = Pattern.compile(".+\\.(heat|copies|keys)(\\..*)?");
  private static final String FAST_DIRECTORIES = "fast_directories";
  private static final String FAST_QUOTA = "fast_quota";

  private final CassandraHome cassandra;
  private final String cassandraYaml;
  private final DataDirectories data;

  Installation(CassandraHome cassandra) {
    this.cassandra = cassandra;
    this.cassandraYaml = TextChange.read(cassandra.cassandraYaml()).orElse("");
    this.data = new DataDirectories(cassandraYaml, cassandra.cassandraYaml().toString());
  }

  /**
   * To put it in, or to bring other jars or another quota.
   *
   * @param jars the node jars
   * @param fast the fast directory
   * @param quota the most that tables may keep there; absent = 90 % of the disk
   * @param slow where data are today, if cassandra.yaml does not say it
   */
  Plan install(List<Path> jars, Path fast, Optional<ByteSize> quota, Optional<Path> slow) {
    if (!fast.isAbsolute() || !fast.equals(fast.normalize())) {
      throw new NodeException("--fast: " + fast + " must be an absolute path without '..'");
    }
    List<String> listed = data.listed();
    if (slow.isPresent() && !listed.isEmpty() && !listed.contains(slow.get().toString())) {
      throw new NodeException(
          "--slow: "
              + slow.get()
              + " is not among data_file_directories "
              + listed
              + "; leave it out");
    }
    if (listed.size() == 1 && listed.contains(fast.toString())) {
      throw new NodeException(
          "--fast: "
              + fast
              + " is the only one of data_file_directories; list a slow one before it");
    }
    String withFast = data.with(fast, slow.or(this::usualData));
    String first = new DataDirectories(withFast, "").listed().get(0);
    if (first.equals(fast.toString())) {
      throw new NodeException(
          "--fast: "
              + fast
              + " is the first of data_file_directories, where Cassandra keeps its system tables;"
              + " list a slow one before it");
    }
    List<Step> steps = new ArrayList<>();
    steps.add(new JarStep(cassandra.lib(), jars));
    steps.add(new FastDirectoryStep(fast, Path.of(first)));
    steps.add(kasaneYaml(fast, quota));
    Path options = cassandra.jvmOptions();
    String lines = text(options);
    steps.add(change(options, lines, OptionLines.with(lines, options.toString())));
    // Last: with the directory and without the hook stock Cassandra would fill it.
    steps.add(change(cassandra.cassandraYaml(), cassandraYaml, withFast));
    return new Plan(steps);
  }

  /** To take it out. */
  Plan uninstall() {
    Map<?, ?> settings = settings();
    List<Path> fast = fastDirectories(settings);
    requireNoEngines(settings);
    FastDisks.requireKnown(data.listed(), usualData(), fast);
    FastDisks.requireStopped(fast);
    FastDisks.requireEmpty(fast);
    String without = cassandraYaml;
    for (Path directory : fast) {
      without =
          new DataDirectories(without, cassandra.cassandraYaml().toString()).without(directory);
    }
    List<Step> steps = new ArrayList<>();
    // First: without the directory nothing of stock Cassandra is to fill it.
    steps.add(
        change(
            cassandra.cassandraYaml(),
            cassandraYaml,
            TextChange.asItWas(cassandra.cassandraYaml(), without)));
    Path options = cassandra.jvmOptions();
    String lines = text(options);
    steps.add(change(options, lines, TextChange.asItWas(options, OptionLines.without(lines))));
    List<Path> left = new ArrayList<>();
    // The ledgers first: while one is there, the disks that it names are asked for. Fast
    // directories
    // are no longer listed when this is run again.
    Set<Path> directories = new LinkedHashSet<>();
    data.listed().forEach(directory -> directories.add(Path.of(directory)));
    usualData().ifPresent(directories::add);
    directories.addAll(fast);
    for (String name : List.of("fast-disks", "fast-disk", "owner", "lock", "node")) {
      directories.forEach(directory -> left.add(directory.resolve(".kasane-" + name)));
    }
    left.addAll(savedHeat(settings));
    left.add(cassandra.kasaneYaml());
    left.add(TextChange.backup(cassandra.kasaneYaml()));
    left.add(TextChange.backup(cassandra.cassandraYaml()));
    left.add(TextChange.backup(options));
    steps.add(new JarStep(cassandra.lib(), List.of()));
    steps.add(new DeleteStep(left));
    return new Plan(steps);
  }

  /** Where data are of which the file says nothing, if that is sure. */
  private Optional<Path> usualData() {
    Path usual = cassandra.usualData();
    return Files.isDirectory(usual.resolve(SYSTEM)) ? Optional.of(usual) : Optional.empty();
  }

  private Step kasaneYaml(Path fast, Optional<ByteSize> quota) {
    String wanted =
        FAST_DIRECTORIES
            + ": [ "
            + fast
            + " ]\n"
            + quota.map(size -> FAST_QUOTA + ": " + size + "\n").orElse("");
    if (!List.of(fast.toString()).equals(map(wanted).get(FAST_DIRECTORIES))) {
      throw new NodeException("--fast: " + fast + " cannot be written in YAML as it is; rename it");
    }
    Path file = cassandra.kasaneYaml();
    Optional<String> present = TextChange.read(file);
    if (present.isEmpty()) {
      return new TextChange(file, present, Optional.of(wanted));
    }
    Map<?, ?> settings = settings();
    boolean saysSo =
        List.of(fast.toString()).equals(settings.get(FAST_DIRECTORIES))
            && (quota.isEmpty()
                || quota.get().toString().equals(String.valueOf(settings.get(FAST_QUOTA))));
    if (saysSo) {
      return new TextChange(file, present, present);
    }
    List<Path> others = fastDirectories(settings);
    if (!others.isEmpty() && !others.equals(List.of(fast))) {
      throw new NodeException(
          file
              + " names "
              + others
              + ", where rows may lie: this command does not move them. See docs/operate/undo.md,"
              + " or write into it by hand what is to be");
    }
    boolean hasMore =
        settings.keySet().stream()
            .anyMatch(name -> !name.equals(FAST_DIRECTORIES) && !name.equals(FAST_QUOTA));
    if (hasMore || present.get().contains("#")) {
      throw new NodeException(
          file
              + " has settings or words of its own, and is left alone. Write into it by hand:\n"
              + wanted);
    }
    return new TextChange(file, present, Optional.of(wanted));
  }

  private static Step change(Path file, String before, String after) {
    return new TextChange(file, Optional.of(before), Optional.of(after));
  }

  private static String text(Path file) {
    return TextChange.read(file)
        .orElseThrow(
            () ->
                new NodeException(
                    "there is no "
                        + file
                        + "; name the directory of Cassandra's settings with --conf"));
  }

  private Map<?, ?> settings() {
    return map(TextChange.read(cassandra.kasaneYaml()).orElse(""));
  }

  private static Map<?, ?> map(String yaml) {
    Object root = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    return root instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<Path> fastDirectories(Map<?, ?> settings) {
    return settings.get(FAST_DIRECTORIES) instanceof List<?> list
        ? list.stream().map(String::valueOf).map(Path::of).toList()
        : List.of();
  }

  /** Files of Kasane alone: the directory may be one that others use, too. */
  private List<Path> savedHeat(Map<?, ?> settings) {
    Path directory;
    if (settings.get("heat_directory") instanceof String named) {
      directory = Path.of(named);
    } else {
      Object saved = map(cassandraYaml).get("saved_caches_directory");
      Path caches =
          saved == null ? cassandra.home().resolve("data/saved_caches") : Path.of(saved.toString());
      directory = caches.resolve("kasane");
    }
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> SAVED_HEAT.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new NodeException("cannot list " + directory + ": " + e.getMessage(), e);
    }
  }

  private void requireNoEngines(Map<?, ?> settings) {
    if (cassandraYaml.contains("io.kasane.engine")
        || settings.containsKey("engines")
        || settings.containsKey("engine_directory")) {
      throw new NodeException(
          "this node has storage engines: rows in them are not to be read without the jars. First"
              + " ALTER their tables back and wait until kasane_views.engine_tables has no rows in"
              + " them, then take their settings out of cassandra.yaml and kasane.yaml");
    }
  }
}
