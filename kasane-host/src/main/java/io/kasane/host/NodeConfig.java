/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.yaml.snakeyaml.error.YAMLException;

/**
 * What {@code kasane.yaml} says about this node. The file lies beside {@code cassandra.yaml} (any
 * directory on the class path) or where {@code -Dkasane.config} points. Without a file every value
 * is absent.
 *
 * @param fastDirectories absolute paths of the data directories on the fast disk
 * @param fastQuotaBytes the most bytes that all tables together may keep on the fast disk
 * @param heatDirectory where access counts are kept over restarts
 */
public record NodeConfig(
    List<Path> fastDirectories, OptionalLong fastQuotaBytes, Optional<Path> heatDirectory) {

  public static final String PATH_PROPERTY = "kasane.config";
  private static final String RESOURCE = "kasane.yaml";
  private static final String FAST_DIRECTORIES = "fast_directories";
  private static final String FAST_QUOTA = "fast_quota";
  private static final String TIB = "TiB";
  private static final String HEAT_DIRECTORY = "heat_directory";
  private static final Set<String> KNOWN =
      new TreeSet<>(List.of(FAST_DIRECTORIES, FAST_QUOTA, HEAT_DIRECTORY));

  public NodeConfig {
    fastDirectories = List.copyOf(fastDirectories);
  }

  static NodeConfig empty() {
    return new NodeConfig(List.of(), OptionalLong.empty(), Optional.empty());
  }

  /**
   * Reads the node's file.
   *
   * @throws HostException if the file cannot be read or holds an unknown or bad setting
   */
  static NodeConfig load() {
    String path = System.getProperty(PATH_PROPERTY);
    if (path != null) {
      if (!Files.isReadable(Path.of(path))) {
        throw new HostException(
            "-D" + PATH_PROPERTY + "=" + path + " is not a readable file; correct or remove it");
      }
      try (InputStream in = Files.newInputStream(Path.of(path))) {
        return parse(in, path);
      } catch (IOException e) {
        throw new HostException("cannot read " + path + ": " + e.getMessage(), e);
      }
    }
    URL resource = NodeConfig.class.getClassLoader().getResource(RESOURCE);
    if (resource == null) {
      return empty();
    }
    try (InputStream in = resource.openStream()) {
      return parse(in, resource.toString());
    } catch (IOException e) {
      throw new HostException("cannot read " + resource + ": " + e.getMessage(), e);
    }
  }

  static NodeConfig parse(InputStream in, String source) {
    Object root;
    try {
      root = new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
    } catch (YAMLException e) {
      throw new HostException(source + " is not valid YAML: " + e.getMessage(), e);
    }
    if (root == null) {
      return empty();
    }
    if (!(root instanceof Map<?, ?> settings)) {
      throw new HostException(source + " must be a map of settings; known ones are " + KNOWN);
    }
    for (Object name : settings.keySet()) {
      if (!KNOWN.contains(String.valueOf(name))) {
        throw new HostException(
            source + ": unknown setting '" + name + "'; known ones are " + KNOWN);
      }
    }
    return new NodeConfig(
        directories(settings.get(FAST_DIRECTORIES), source),
        quota(settings.get(FAST_QUOTA), source),
        Optional.ofNullable(settings.get(HEAT_DIRECTORY))
            .map(value -> absolute(HEAT_DIRECTORY, value, source)));
  }

  private static List<Path> directories(Object value, String source) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> entries)) {
      throw new HostException(
          source + ": " + FAST_DIRECTORIES + " must be a list of paths, but is '" + value + "'");
    }
    List<Path> paths = new ArrayList<>();
    for (Object entry : entries) {
      paths.add(absolute(FAST_DIRECTORIES, entry, source));
    }
    return paths;
  }

  private static Path absolute(String setting, Object value, String source) {
    Path path = Path.of(String.valueOf(value));
    if (!path.isAbsolute()) {
      throw new HostException(
          source + ": " + setting + " must hold absolute paths, but has '" + value + "'");
    }
    return path.normalize();
  }

  private static OptionalLong quota(Object value, String source) {
    if (value == null) {
      return OptionalLong.empty();
    }
    String text = String.valueOf(value).trim();
    try {
      return OptionalLong.of(parseBytes(text));
    } catch (ConfigurationException | IllegalArgumentException e) {
      throw new HostException(
          source
              + ": "
              + FAST_QUOTA
              + " is '"
              + text
              + "' but must be a size of at least 0 with a unit, such as 512MiB or 200GiB",
          e);
    }
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
      throw new IllegalArgumentException(text + " is more bytes than a long can hold");
    }
    return 1024 * bytes;
  }
}
