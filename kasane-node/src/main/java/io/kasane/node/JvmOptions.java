/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The JVM flags of a node: what Cassandra 5.0 needs on Java 17, and what makes it boot fast. */
final class JvmOptions {
  private static final List<String> EXPORTS =
      List.of(
          "java.base/java.lang.ref",
          "java.base/jdk.internal.misc",
          "java.base/jdk.internal.ref",
          "java.base/sun.nio.ch",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.sql/java.sql",
          "jdk.attach/sun.tools.attach",
          "jdk.compiler/com.sun.tools.javac.file",
          "jdk.unsupported/sun.misc");

  private static final List<String> OPENS =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.module",
          "java.base/java.lang.reflect",
          "java.base/java.util",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.util.jar",
          "java.base/sun.nio.ch",
          "jdk.compiler/com.sun.tools.javac",
          "jdk.management/com.sun.management.internal");

  private static final String OF_ALL_NODES = "kasane.node.flags";

  private JvmOptions() {}

  /** Returns the flags of a node's JVM, class path included. */
  static List<String> node(Distribution distribution, NodeSettings settings, Path conf) {
    List<String> flags = new ArrayList<>();
    flags.add("-ea");
    flags.add("-da:net.openhft...");
    flags.add("-Xms" + settings.heap());
    flags.add("-Xmx" + settings.heap());
    flags.add("-Xss512k");
    flags.add("-XX:+UseG1GC");
    flags.add("-XX:MaxGCPauseMillis=300");
    flags.add("-XX:+PerfDisableSharedMem");
    flags.add("-XX:-HeapDumpOnOutOfMemoryError");
    flags.add("-XX:+ExitOnOutOfMemoryError");
    flags.add("-XX:ErrorFile=" + settings.dir().resolve("logs/hs_err.log"));
    flags.add("-javaagent:" + distribution.jammAgent());
    flags.addAll(modules());
    flags.add("-Djdk.attach.allowAttachSelf=true");
    flags.add("-Djava.net.preferIPv4Stack=true");
    flags.add("-Dio.netty.tryReflectionSetAccessible=true");
    flags.add("-Dio.netty.allocator.useCacheForAllThreads=true");
    flags.add("-Dio.netty.allocator.maxOrder=11");
    flags.add("-Dlogback.configurationFile=" + conf.resolve("logback.xml").toUri());
    flags.add("-Dcassandra.config=" + conf.resolve("cassandra.yaml").toUri());
    flags.add("-Dcassandra.storagedir=" + settings.dir());
    flags.add("-Dcassandra.logdir=" + settings.dir().resolve("logs"));
    flags.add("-Dcassandra-foreground=yes");
    flags.add("-Dcassandra.jmx.local.port=" + settings.jmxPort());
    flags.add("-Dcassandra.skip_wait_for_gossip_to_settle=0");
    flags.add("-Dcassandra.ring_delay_ms=1000");
    flags.add("-Dcassandra.shutdown_announce_in_ms=200");
    flags.add("-Dcassandra.superuser_setup_delay_ms=100");
    // Of 100,000 rows by default, which takes about a second; of fewer it comes to the same.
    flags.add("-Dcassandra.memtable_row_overhead_computation_step=10000");
    if (settings.rack().isPresent()) {
      flags.add("-Dcassandra-rackdc.properties=" + NodeFiles.rackFile(conf).toUri());
    }
    if (settings.kasane()) {
      flags.add("-Dcassandra.storage_hook=io.kasane.host.KasaneStorageHook");
      flags.add("-Dkasane.config=" + conf.resolve("kasane.yaml"));
    }
    flags.addAll(ofAllNodes());
    flags.addAll(settings.jvmFlags());
    flags.add("-cp");
    flags.add(distribution.nodeClassPath(settings.kasane()));
    return flags;
  }

  /** What tests want of every node, without a word in each of them. */
  private static List<String> ofAllNodes() {
    return Stream.of(System.getProperty(OF_ALL_NODES, "").split(" ", -1))
        .filter(flag -> !flag.isEmpty())
        .toList();
  }

  /** Returns the flags of a stock tool that talks to a node. */
  static List<String> tool(Distribution distribution, NodeSettings settings, Path conf) {
    List<String> flags = new ArrayList<>();
    flags.add("-Xmx256m");
    flags.add("-XX:TieredStopAtLevel=1");
    flags.add("-XX:+UseSerialGC");
    flags.addAll(modules());
    flags.add("-Dcom.sun.jndi.rmiURLParsing=legacy");
    flags.add("-Dlogback.configurationFile=" + conf.resolve("logback-tools.xml").toUri());
    flags.add("-Dcassandra.config=" + conf.resolve("cassandra.yaml").toUri());
    flags.add("-Dcassandra.storagedir=" + settings.dir());
    flags.add("-cp");
    flags.add(distribution.nodeClassPath(settings.kasane()));
    return flags;
  }

  private static List<String> modules() {
    List<String> flags = new ArrayList<>();
    EXPORTS.forEach(name -> flags.add("--add-exports=" + name + "=ALL-UNNAMED"));
    OPENS.forEach(name -> flags.add("--add-opens=" + name + "=ALL-UNNAMED"));
    return flags;
  }

  /** Returns the text of a launcher argument file: one quoted argument a line. */
  static String argumentFile(List<String> flags) {
    StringBuilder text = new StringBuilder();
    for (String flag : flags) {
      String escaped = flag.replace("\\", "\\\\").replace("\"", "\\\"");
      text.append('"').append(escaped).append("\"\n");
    }
    return text.toString();
  }
}
