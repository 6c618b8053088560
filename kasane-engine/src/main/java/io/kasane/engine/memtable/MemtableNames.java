/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.InheritingClass;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The names that a table's {@code memtable} may have, from cassandra.yaml. Once one of them is on
 * an engine, all must be Kasane's: a table that is altered away from its engine would lose sight of
 * its rows else.
 */
public final class MemtableNames {
  private static final String DEFAULT = "default";
  private static final String HOOK = "cassandra.storage_hook";
  private static final String OUR_HOOK = "io.kasane.host.KasaneStorageHook";

  private MemtableNames() {}

  /** Whether any name is Kasane's. */
  public static boolean isInUse() {
    return configurations().values().stream().anyMatch(MemtableNames::isOurs);
  }

  /** Returns the engines that names are on. */
  public static Set<String> engines() {
    Set<String> engines = new TreeSet<>();
    for (InheritingClass configuration : configurations().values()) {
      if (configuration.parameters != null && configuration.parameters.get("engine") != null) {
        engines.add(configuration.parameters.get("engine"));
      }
    }
    return engines;
  }

  /**
   * Checks all names.
   *
   * @throws ConfigurationException if not all are Kasane's, or its hook is missing
   */
  public static void check() {
    if (!DatabaseDescriptor.isDaemonInitialized()) {
      return; // a tool, which opens no engine
    }
    if (!OUR_HOOK.equals(System.getProperty(HOOK))) {
      throw new ConfigurationException(
          "a memtable of cassandra.yaml is "
              + EngineMemtable.class.getName()
              + ", but the JVM option -D"
              + HOOK
              + " is "
              + System.getProperty(HOOK)
              + ": set it to "
              + OUR_HOOK);
    }
    Map<String, InheritingClass> all = configurations();
    if (!all.containsKey(DEFAULT)) {
      throw foreign(DEFAULT, "not there");
    }
    all.forEach(
        (name, configuration) -> {
          if (!isOurs(configuration) && configuration.inherits == null) {
            throw foreign(name, String.valueOf(configuration.class_name));
          }
        });
  }

  private static boolean isOurs(InheritingClass configuration) {
    return Objects.equals(configuration.class_name, EngineMemtable.class.getName());
  }

  private static ConfigurationException foreign(String name, String seen) {
    return new ConfigurationException(
        "memtable.configurations."
            + name
            + " of cassandra.yaml is "
            + seen
            + ", but must have the"
            + " class_name "
            + EngineMemtable.class.getName()
            + ", as all of them once a storage engine"
            + " is used: without the parameter 'engine' it is Cassandra's own memtable. See"
            + " docs/operate/engines.md");
  }

  private static Map<String, InheritingClass> configurations() {
    Map<String, InheritingClass> all = DatabaseDescriptor.getMemtableConfigurations();
    return all == null ? Map.of() : all;
  }
}
