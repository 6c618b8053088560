/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.disk.Devices;
import io.kasane.disk.Layout;
import io.kasane.disk.fs.ModelledProvider;
import io.kasane.disk.model.DiskSpec;
import io.kasane.disk.model.HardDiskSpec;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/** Modelled disks inside the node's process: need no root and repeat themselves. */
public final class ModelRig implements DiskRig {
  private static final String SLOW_MODEL = "hdd-7200";
  private static final String FAST_MODEL = "ssd-sata";
  private static final String BEAN = "io.kasane.disk:type=Disk,name=";
  private static final long SEED = 20_261_121;

  private final double faster;
  private final boolean hurries;

  /**
   * A pair of disks.
   *
   * @param faster time-lapse: both disks are this many times as fast as their models
   */
  public ModelRig(double faster) {
    this(faster, false);
  }

  /**
   * A pair of disks.
   *
   * @param faster time-lapse: both disks are this many times as fast as their models
   * @param hurries whether they take no time before measuring begins
   */
  public ModelRig(double faster, boolean hurries) {
    this.faster = faster;
    this.hurries = hurries;
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT,
        "in-process model with page cache, time-lapse %.2f; slow: %s; fast: %s",
        faster,
        DiskSpec.named(SLOW_MODEL).describe(),
        DiskSpec.named(FAST_MODEL).describe());
  }

  @Override
  public double slowReadNanos(long bytes) {
    return HardDiskSpec.SATA_7200.faster(faster).randomReadNanos(bytes);
  }

  @Override
  public void attach(
      NodeSettings.Builder node, Path nodeDirectory, List<Placed> disks, Machine machine) {
    Path layout = nodeDirectory.resolve("disks.properties");
    try {
      Files.createDirectories(nodeDirectory);
    } catch (IOException e) {
      throw new NodeException("cannot create " + nodeDirectory + ": " + e, e);
    }
    new Layout(disks.stream().map(this::entry).toList(), (long) machine.cacheMib() << 20)
        .write(layout);
    jvmFlags(layout).forEach(node::jvmFlag);
    node.jvmFlag("-D" + Devices.INSTANT_PROPERTY + "=" + hurries);
    node.yaml("disk_access_mode", "standard");
  }

  /**
   * Returns the flags that put modelled disks beneath a Java process, and beneath its class path: a
   * stock Cassandra has nothing of ours above its files.
   */
  public static List<String> jvmFlags(Path layout) {
    return List.of(
        "-Xbootclasspath/a:" + jar(),
        "-Djava.nio.file.spi.DefaultFileSystemProvider=" + ModelledProvider.class.getName(),
        "-D" + Devices.LAYOUT_PROPERTY + "=" + layout);
  }

  private Layout.Entry entry(Placed disk) {
    String model = disk.role() == DiskRole.FAST ? FAST_MODEL : SLOW_MODEL;
    return new Layout.Entry(
        disk.name(), disk.directory(), model, disk.capacityBytes(), SEED, faster);
  }

  private static Path jar() {
    try {
      return Path.of(
          ModelledProvider.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void measure(NodeJmx jmx, String name) throws IOException {
    jmx.setAttribute(BEAN + name, "Instant", false);
  }

  /** Says that measuring has ended: until it begins again, the disk takes no time. */
  public void hurry(NodeJmx jmx, String name) throws IOException {
    jmx.setAttribute(BEAN + name, "Instant", true);
  }

  @Override
  public DiskCounters counters(NodeJmx jmx, String name) throws IOException {
    String bean = BEAN + name;
    TabularData reads = (TabularData) jmx.attribute(bean, "Reads");
    TabularData written = (TabularData) jmx.attribute(bean, "WrittenBytes");
    return new DiskCounters(
        sum(reads, "ReadStage"),
        sum((TabularData) jmx.attribute(bean, "MemoryReads"), "ReadStage"),
        sum(written, ""),
        sum(written, "CompactionExecutor"),
        (Long) jmx.attribute(bean, "BusyNanos"));
  }

  /** The sum over the kinds of threads whose name begins so. */
  private static long sum(TabularData byKind, String prefix) {
    ToLongFunction<Object> value = row -> (Long) ((CompositeData) row).get("value");
    return byKind.values().stream()
        .filter(row -> ((String) ((CompositeData) row).get("key")).startsWith(prefix))
        .mapToLong(value)
        .sum();
  }
}
