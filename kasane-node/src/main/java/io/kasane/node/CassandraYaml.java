/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** The two configuration files of a node: Cassandra's and Kasane's. */
final class CassandraYaml {
  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);

  private CassandraYaml() {}

  /** Returns the text of {@code cassandra.yaml}. */
  static String cassandra(NodeSettings settings) {
    return dump(cassandraSettings(settings));
  }

  /**
   * Returns the text of {@code kasane.yaml}, which names no fast disk that the node does without.
   */
  static String kasane(NodeSettings settings) {
    String fast = settings.fast().toString();
    List<?> directories = (List<?>) cassandraSettings(settings).get("data_file_directories");
    Map<String, Object> yaml = new LinkedHashMap<>();
    if (directories.contains(fast)) {
      yaml.put("fast_directories", List.of(fast));
      settings.fastQuota().ifPresent(quota -> yaml.put("fast_quota", quota.toString()));
    }
    yaml.putAll(settings.kasaneYaml());
    return yaml.isEmpty() ? "" : dump(yaml);
  }

  static Map<String, Object> cassandraSettings(NodeSettings settings) {
    Map<String, Object> yaml = new LinkedHashMap<>();
    yaml.put("cluster_name", "kasane");
    yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    yaml.put("num_tokens", 1);
    yaml.put("initial_token", evenToken(settings.index(), settings.clusterSize()));
    // Tokens are fixed and the cluster starts empty: there is nothing to bootstrap from.
    yaml.put("auto_bootstrap", false);
    yaml.put(
        "endpoint_snitch",
        settings.rack().isPresent() ? "GossipingPropertyFileSnitch" : "SimpleSnitch");
    yaml.put("seed_provider", seedProvider(settings));
    yaml.put("listen_address", settings.address());
    yaml.put("rpc_address", settings.address());
    yaml.put("native_transport_port", settings.nativePort());
    yaml.put("storage_port", settings.storagePort());
    // Slow first: Cassandra keeps its own files on the first directory, Kasane marks fast
    // unwritable.
    yaml.put(
        "data_file_directories", List.of(settings.slow().toString(), settings.fast().toString()));
    yaml.put("commitlog_directory", settings.dir().resolve("commitlog").toString());
    yaml.put("hints_directory", settings.dir().resolve("hints").toString());
    yaml.put("saved_caches_directory", settings.dir().resolve("saved_caches").toString());
    yaml.put("cdc_raw_directory", settings.dir().resolve("cdc_raw").toString());
    yaml.put("commitlog_sync", "periodic");
    yaml.put("commitlog_sync_period", "10000ms");
    // Several processes share few cores here: a slow answer is better than a failed test.
    for (String kind : List.of("read", "range", "write", "counter_write", "truncate", "request")) {
      String name = kind.equals("request") ? "request_timeout" : kind + "_request_timeout";
      yaml.put(name, "20000ms");
    }
    settings
        .yaml()
        .forEach(
            (name, value) -> {
              if (value == null) {
                yaml.remove(name);
              } else {
                yaml.put(name, value);
              }
            });
    return yaml;
  }

  /** Returns the token that splits the ring evenly: -2^63 + (index - 1) * 2^64 / size. */
  static String evenToken(int index, int size) {
    return RING.multiply(BigInteger.valueOf(index - 1L))
        .divide(BigInteger.valueOf(size))
        .add(BigInteger.valueOf(Long.MIN_VALUE))
        // The smallest long is the partitioner's minimum, which no node may own.
        .max(BigInteger.valueOf(Long.MIN_VALUE + 1))
        .toString();
  }

  private static List<Map<String, Object>> seedProvider(NodeSettings settings) {
    // Every node is a seed, so that any of them can restart while the others are down.
    String seeds =
        String.join(
            ",",
            settings.clusterAddresses().stream()
                .map(address -> address + ":" + settings.storagePort())
                .toList());
    return List.of(
        Map.of(
            "class_name",
            "org.apache.cassandra.locator.SimpleSeedProvider",
            "parameters",
            List.of(Map.of("seeds", seeds))));
  }

  static String dump(Map<String, Object> yaml) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setWidth(1000);
    return new Yaml(options).dump(yaml);
  }
}
