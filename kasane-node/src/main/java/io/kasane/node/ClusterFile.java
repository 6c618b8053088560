/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * {@code cluster.yaml}: what a cluster's nodes were started with, for the next invocation.
 *
 * <p>Written and read by this class alone; a file it cannot read is an error, not a guess.
 */
final class ClusterFile {
  private static final String NAME = "cluster.yaml";

  private ClusterFile() {}

  static void write(Path dir, List<NodeSettings> nodes) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("nodes", nodes.stream().map(ClusterFile::toMap).toList());
    try {
      Files.createDirectories(dir);
      Files.writeString(dir.resolve(NAME), CassandraYaml.dump(root));
    } catch (IOException e) {
      throw new NodeException(
          "Cannot write " + dir.resolve(NAME) + " (" + e + "). Choose another --dir.", e);
    }
  }

  static Optional<List<NodeSettings>> read(Path dir) {
    Path file = dir.resolve(NAME);
    try {
      Object root = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
      List<NodeSettings> nodes = new ArrayList<>();
      for (Object node : (List<?>) ((Map<?, ?>) root).get("nodes")) {
        nodes.add(fromMap((Map<?, ?>) node));
      }
      return Optional.of(nodes);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | YAMLException | ClassCastException | NullPointerException e) {
      throw new NodeException(
          file
              + " does not describe a cluster ("
              + e
              + "). If its nodes do not run, delete the file; the nodes' data are not touched.",
          e);
    }
  }

  private static Map<String, Object> toMap(NodeSettings node) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("index", node.index());
    map.put("cluster_size", node.clusterSize());
    map.put("network", node.network());
    map.put("dir", node.dir().toString());
    map.put("fast", node.fast().toString());
    map.put("slow", node.slow().toString());
    node.fastQuota().ifPresent(quota -> map.put("fast_quota", quota.toString()));
    map.put("kasane", node.kasane());
    map.put("heap", node.heap());
    map.put("native_port", node.nativePort());
    map.put("storage_port", node.storagePort());
    map.put("jmx_port", node.jmxPort());
    node.rack()
        .ifPresent(
            rack -> {
              map.put("data_centre", rack.dataCentre());
              map.put("rack", rack.name());
            });
    map.put("yaml", new LinkedHashMap<>(node.yaml()));
    map.put("kasane_yaml", new LinkedHashMap<>(node.kasaneYaml()));
    map.put("jvm_flags", new ArrayList<>(node.jvmFlags()));
    return map;
  }

  private static NodeSettings fromMap(Map<?, ?> map) {
    NodeSettings.Builder builder =
        NodeSettings.builder(Path.of((String) map.get("dir")))
            .place((Integer) map.get("index"), (Integer) map.get("cluster_size"))
            .network((String) map.get("network"))
            .fast(Path.of((String) map.get("fast")))
            .slow(Path.of((String) map.get("slow")))
            .withKasane((Boolean) map.get("kasane"))
            .heap((String) map.get("heap"))
            .nativePort((Integer) map.get("native_port"))
            .storagePort((Integer) map.get("storage_port"))
            .jmxPort((Integer) map.get("jmx_port"));
    if (map.get("fast_quota") != null) {
      builder.fastQuota(ByteSize.parse((String) map.get("fast_quota")));
    }
    if (map.get("rack") != null) {
      builder.in(new Rack((String) map.get("data_centre"), (String) map.get("rack")));
    }
    ((Map<?, ?>) map.get("yaml")).forEach((name, value) -> builder.yaml((String) name, value));
    if (map.get("kasane_yaml") instanceof Map<?, ?> kasaneYaml) { // else of an older version
      kasaneYaml.forEach((name, value) -> builder.kasaneYaml((String) name, value));
    }
    ((List<?>) map.get("jvm_flags")).forEach(flag -> builder.jvmFlag((String) flag));
    return builder.build();
  }
}
