/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import io.kasane.host.refuse.HostException;
import io.kasane.host.refuse.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * What {@code kasane.yaml} says about this node. The file lies beside {@code cassandra.yaml} (any
 * directory on the class path) or where {@code -Dkasane.config} points. Without a file every value
 * is absent.
 *
 * @param fastDirectories absolute paths of the data directories on the fast disk
 * @param fastQuotaBytes the most bytes that all tables together may keep on the fast disk
 * @param heatDirectory where access counts are kept over restarts
 * @param heatMemoryBytes the most memory outside the heap that access counts may take, all tables
 *     together
 * @param keyListsDirectory whose files tables may name in {@code heat_list}; absent = none
 * @param showKeys whether views show partition keys to whoever may read the views
 * @param engineDirectory where storage engines keep their files, a directory each
 * @param engines what each storage engine is granted, by its name
 * @param arenas which tables can be read from shared memory; absent = none
 * @param kinds how much others are to avoid reading from a node of a kind, by the kind: its rack
 */
public record NodeConfig(
    List<Path> fastDirectories,
    OptionalLong fastQuotaBytes,
    Optional<Path> heatDirectory,
    OptionalLong heatMemoryBytes,
    Optional<Path> keyListsDirectory,
    boolean showKeys,
    Optional<Path> engineDirectory,
    Map<String, EngineSettings> engines,
    Optional<ArenaSettings> arenas,
    Map<String, Double> kinds) {

  public static final String PATH_PROPERTY = "kasane.config";

  /** The setting that offers files to {@code heat_list}. */
  public static final String KEY_LISTS_DIRECTORY = "key_lists_directory";

  public static final String HEAT_MEMORY = "heat_memory";

  /** The file's name. */
  public static final String RESOURCE = "kasane.yaml";

  public static final String FAST_DIRECTORIES = "fast_directories";
  private static final String FAST_QUOTA = "fast_quota";
  private static final String TIB = "TiB";
  private static final String HEAT_DIRECTORY = "heat_directory";
  private static final String SHOW_KEYS = "show_keys";
  static final String ARENAS = "arenas";
  static final String ENGINES = "engines";
  static final String KINDS = "kinds";

  /** What a node has that cannot answer reads: kinds have less. */
  public static final double MAX_SEVERITY = 100;

  /** The setting that says where storage engines keep their files. */
  public static final String ENGINE_DIRECTORY = "engine_directory";

  private static final Set<String> KNOWN =
      new TreeSet<>(
          List.of(
              ARENAS,
              ENGINE_DIRECTORY,
              ENGINES,
              FAST_DIRECTORIES,
              FAST_QUOTA,
              HEAT_DIRECTORY,
              HEAT_MEMORY,
              KEY_LISTS_DIRECTORY,
              KINDS,
              SHOW_KEYS));

  private static final long MIN_HEAT_MEMORY_BYTES = 1 << 20;
  private static final int MAX_FILE_BYTES = 64 << 10;
  private static final int MAX_NESTING = 8;
  private static final int MAX_SHOWN_OF_A_PROBLEM = 200;

  public NodeConfig {
    fastDirectories = List.copyOf(fastDirectories);
    engines = Map.copyOf(engines);
    kinds = Map.copyOf(kinds);
  }

  static NodeConfig empty() {
    return new NodeConfig(
        List.of(),
        OptionalLong.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        false,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Map.of());
  }

  /**
   * Reads the node's file.
   *
   * @throws HostException if the file cannot be read or holds an unknown or bad setting
   */
  public static NodeConfig load() {
    String path = System.getProperty(PATH_PROPERTY);
    if (path != null) {
      try {
        return load(Path.of(path));
      } catch (InvalidPathException e) {
        throw unreadable(path);
      }
    }
    URL resource = resource(RESOURCE);
    if (resource == null) {
      return empty();
    }
    try (InputStream in = resource.openStream()) {
      return parse(in, resource.toString());
    } catch (IOException e) {
      throw new HostException("cannot read " + resource + ": " + e.getMessage(), e);
    }
  }

  /** Whether there is a file. */
  public static boolean isThere() {
    return System.getProperty(PATH_PROPERTY) != null || resource(RESOURCE) != null;
  }

  /** Where the file is looked for: beside {@code cassandra.yaml}, as far as that is known. */
  public static String place() {
    URL cassandra = resource("cassandra.yaml");
    if (cassandra == null || !cassandra.getProtocol().equals("file")) {
      return "any directory of the class path";
    }
    return String.valueOf(Path.of(URI.create(cassandra.toString())).getParent());
  }

  private static URL resource(String name) {
    return NodeConfig.class.getClassLoader().getResource(name);
  }

  /** A pipe or a device might never end. */
  private static NodeConfig load(Path path) {
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      throw unreadable(path.toString());
    }
    try (InputStream in = Files.newInputStream(path)) {
      return parse(in, path.toString());
    } catch (IOException e) {
      throw new HostException("cannot read " + path + ": " + e.getMessage(), e);
    }
  }

  private static HostException unreadable(String path) {
    return new HostException(
        Refusal.of("-D" + PATH_PROPERTY, path, "a readable file", "correct or remove it"));
  }

  /**
   * Reads settings.
   *
   * @param source for messages
   * @throws HostException naming the setting, the value seen, the bound and the way out
   */
  static NodeConfig parse(InputStream in, String source) {
    Object root = yaml(in, source);
    if (root == null) {
      return empty();
    }
    if (!(root instanceof Map<?, ?> settings)) {
      throw new HostException(
          Refusal.of(
              source,
              root,
              "a map of settings, of which known ones are " + KNOWN,
              "write one 'name: value' a line, or leave the file empty for the defaults"));
    }
    for (Object name : settings.keySet()) {
      if (!(name instanceof String known) || !KNOWN.contains(known)) {
        throw new HostException(
            source
                + ": unknown setting "
                + Refusal.quote(name)
                + "; known ones are "
                + KNOWN
                + ": correct or remove it");
      }
    }
    SettingsReader reader = new SettingsReader(settings, source);
    EngineReader engines = new EngineReader(reader);
    return new NodeConfig(
        reader.directories(FAST_DIRECTORIES),
        reader.size(FAST_QUOTA, 0, "90 % of the disk"),
        reader.directory(HEAT_DIRECTORY, "saved_caches_directory/kasane"),
        reader.size(HEAT_MEMORY, MIN_HEAT_MEMORY_BYTES, "a thirty-second of the memory"),
        reader.directory(KEY_LISTS_DIRECTORY, "none, where no table may use heat_policy 'listed'"),
        reader.yesOrNo(SHOW_KEYS),
        reader.directory(ENGINE_DIRECTORY, "'engines' in Cassandra's storage directory"),
        engines.engines(),
        ArenaSettingsReader.read(reader),
        engines.kinds());
  }

  /** Bounded: no text of some kilobytes may become gigabytes, or take minutes. */
  private static Object yaml(InputStream in, String source) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setMaxAliasesForCollections(0);
    limitNesting(options);
    byte[] bytes;
    try {
      bytes = in.readNBytes(MAX_FILE_BYTES + 1);
    } catch (IOException e) {
      throw new HostException("cannot read " + source + ": " + e.getMessage(), e);
    }
    if (bytes.length > MAX_FILE_BYTES) {
      throw new HostException(
          source
              + " has more than "
              + MAX_FILE_BYTES
              + " bytes, but must have at most that many; remove what is no setting");
    }
    try {
      return new Yaml(new SafeConstructor(options)).load(new ByteArrayInputStream(bytes));
    } catch (MarkedYAMLException e) {
      String line =
          e.getProblemMark() == null ? "" : " in line " + (e.getProblemMark().getLine() + 1);
      throw notYaml(source + line, e.getProblem(), e);
    } catch (RuntimeException | StackOverflowError e) { // whatever its scalars' parsers throw
      throw notYaml(source, e.getMessage(), e);
    }
  }

  private static void limitNesting(LoaderOptions options) {
    try {
      options.setNestingDepthLimit(MAX_NESTING);
    } catch (NoSuchMethodError e) {
      // Cassandra has an older SnakeYAML until 5.0.5, where what nests too deep overflows the
      // stack,
      // and is refused as no YAML.
    }
  }

  private static HostException notYaml(String where, String problem, Throwable cause) {
    return new HostException(
        where
            + " is not valid YAML: "
            + Refusal.shown(String.valueOf(problem), MAX_SHOWN_OF_A_PROBLEM)
            + "; write one 'name: value' a line, without aliases and duplicates",
        cause);
  }

  /**
   * Parses a size as cassandra.yaml writes them; a bare 0 and TiB are allowed too.
   *
   * @return bytes, at least 0
   * @throws IllegalArgumentException or {@link ConfigurationException} for anything else
   */
  public static long parseBytes(String text) {
    if (text.equals("0")) {
      return 0;
    }
    if (!text.endsWith(TIB)) {
      return new DataStorageSpec.LongBytesBound(text).toBytes();
    }
    String number = text.substring(0, text.length() - TIB.length());
    long bytes = new DataStorageSpec.LongBytesBound(number + "GiB").toBytes();
    if (bytes > Long.MAX_VALUE / 1024) {
      throw new IllegalArgumentException("more bytes than a long can hold");
    }
    return 1024 * bytes;
  }
}
