/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.arena;

import io.kasane.bench.lab.TemporaryPlace;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import javax.management.openmbean.CompositeData;

/**
 * Whether the memory of a node and of a client stays what it is, while the client reads an arena as
 * fast as it can and writes beside: both are asked once a minute, after a garbage collection.
 */
public final class ArenaMemory {
  private static final long WRITE_PAUSE_MILLIS = 5;
  private static final double MIB = 1 << 20;

  private ArenaMemory() {}

  private record Sample(
      double nodeHeap, double nodeResident, double clientHeap, double clientResident) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "| %.1f | %.0f | %.1f | %.0f |",
          nodeHeap,
          nodeResident,
          clientHeap,
          clientResident);
    }
  }

  /**
   * Runs it.
   *
   * @param arguments for how many minutes (30)
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int minutes = arguments.length == 0 ? 30 : Integer.parseInt(arguments[0]);
    try (TemporaryPlace place = new TemporaryPlace("kasane-arena-memory");
        ArenaNode node = ArenaNode.start(place)) {
      SplittableRandom random = new SplittableRandom(1);
      for (int group = 0; group < ArenaNode.GROUPS; group++) {
        node.write(group, random);
      }
      ArenaSide reader = new ArenaSide("reader", node, node.shared(), 2);
      Thread writer = new Thread(() -> write(node), "writer");
      writer.setDaemon(true);
      reader.start();
      writer.start();
      System.out.printf("| MiB: node's heap | resident | client's heap | resident |%n|-|-|-|-|%n");
      List<Sample> samples = new ArrayList<>();
      for (int minute = 0; minute < minutes; minute++) {
        TimeUnit.MINUTES.sleep(1);
        samples.add(sample(node));
        System.out.println(samples.get(minute));
      }
      reader.stop();
      writer.interrupt();
      writer.join();
      System.out.printf(
          Locale.ROOT,
          "%n%,d reads. Last third less first third, MiB: node's heap %+.1f, resident %+.1f,"
              + " client's heap %+.1f, resident %+.1f%n",
          reader.counts().reads(),
          growth(samples, Sample::nodeHeap),
          growth(samples, Sample::nodeResident),
          growth(samples, Sample::clientHeap),
          growth(samples, Sample::clientResident));
    }
  }

  private static void write(ArenaNode node) {
    SplittableRandom random = new SplittableRandom(3);
    try {
      while (true) {
        node.write(random.nextInt(ArenaNode.GROUPS), random);
        TimeUnit.MILLISECONDS.sleep(WRITE_PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Sample sample(ArenaNode node) throws IOException {
    double nodeHeap;
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke("java.lang:type=Memory", "gc", List.of());
      CompositeData heap =
          (CompositeData) jmx.attribute("java.lang:type=Memory", "HeapMemoryUsage");
      nodeHeap = (Long) heap.get("used") / MIB;
    }
    System.gc();
    return new Sample(
        nodeHeap,
        residentMib(node.process().pid()),
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB,
        residentMib(ProcessHandle.current().pid()));
  }

  /** What Linux says. */
  private static double residentMib(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1_024)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double growth(List<Sample> samples, ToDoubleFunction<Sample> of) {
    int third = Math.max(1, samples.size() / 3);
    return mean(samples.subList(samples.size() - third, samples.size()), of)
        - mean(samples.subList(0, third), of);
  }

  private static double mean(List<Sample> samples, ToDoubleFunction<Sample> of) {
    return samples.stream().mapToDouble(of).average().orElse(Double.NaN);
  }
}
