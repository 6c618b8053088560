/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import io.kasane.disk.model.Disk;
import io.kasane.disk.model.DiskSpec;
import io.kasane.disk.model.Request;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** One modelled disk of this process. Safe for use by many threads. */
public final class Device implements DiskMXBean {
  private static final PreciseWait WAIT = PreciseWait.calibrated();

  private final String name;
  private final DiskSpec spec;
  private final Disk disk;
  private final UsedSpace space;
  private final PageCache memory;
  private final Faults faults;
  private volatile boolean instant = Boolean.getBoolean(Devices.INSTANT_PROPERTY);
  private final ConcurrentHashMap<String, Traffic> traffic = new ConcurrentHashMap<>();

  /**
   * A disk.
   *
   * @param directory the real one that lies on it
   */
  Device(String name, Path directory, DiskSpec spec, long seed, UsedSpace space, PageCache memory) {
    this.name = name;
    this.faults = new Faults(directory);
    this.spec = spec;
    this.disk = spec.open(seed);
    this.space = space;
    this.memory = memory;
  }

  /** Returns the memory for files of the machine that the disk is in. */
  PageCache memory() {
    return memory;
  }

  /** Forgets a file that was deleted. */
  public void forget(long fileId) {
    memory.drop(fileId);
  }

  /** Counts a read that memory served. */
  void servedFromMemory() {
    counters().memoryReads.increment();
  }

  /** Returns the disk's name in the layout. */
  public String name() {
    return name;
  }

  /** Returns how full the disk is. */
  public UsedSpace space() {
    return space;
  }

  /** Returns which requests fail. */
  public Faults faults() {
    return faults;
  }

  /** Returns how far a sequential reader is read ahead, in bytes. */
  public long readAheadBytes() {
    return spec.readAheadBytes();
  }

  /**
   * Lets the disk serve a request, and the calling thread wait until it has.
   *
   * @param sinceNanos when the caller asked, by {@link System#nanoTime}: what it did with the real
   *     file since then is no time of its own
   */
  public void access(Request request, long sinceNanos) {
    long done = submit(request, sinceNanos);
    if (done > sinceNanos) {
      WAIT.until(done);
    }
    counters().waitedNanos.add(System.nanoTime() - sinceNanos);
  }

  /** Lets the disk serve a request that nobody waits for, and returns when it will be done. */
  public long submit(Request request, long sinceNanos) {
    counters().count(request.write(), request.bytes());
    if (instant) {
      return sinceNanos;
    }
    synchronized (disk) {
      return disk.submit(request, sinceNanos);
    }
  }

  private Traffic counters() {
    return traffic.computeIfAbsent(Traffic.kindOfThread(), kind -> new Traffic());
  }

  @Override
  public boolean isInstant() {
    return instant;
  }

  @Override
  public void setInstant(boolean instant) {
    this.instant = instant;
  }

  @Override
  public String getModel() {
    return spec.describe();
  }

  @Override
  public long getCapacityBytes() {
    return space.capacityBytes();
  }

  @Override
  public long getUsedBytes() {
    return space.usedBytes();
  }

  @Override
  public long getBusyNanos() {
    synchronized (disk) {
      return disk.busyNanos();
    }
  }

  @Override
  public Map<String, Long> getReads() {
    return sums(kind -> kind.reads);
  }

  @Override
  public Map<String, Long> getMemoryReads() {
    return sums(kind -> kind.memoryReads);
  }

  @Override
  public Map<String, Long> getReadBytes() {
    return sums(kind -> kind.readBytes);
  }

  @Override
  public Map<String, Long> getWrites() {
    return sums(kind -> kind.writes);
  }

  @Override
  public Map<String, Long> getWrittenBytes() {
    return sums(kind -> kind.writtenBytes);
  }

  @Override
  public Map<String, Long> getWaitedNanos() {
    return sums(kind -> kind.waitedNanos);
  }

  private Map<String, Long> sums(Function<Traffic, LongAdder> counter) {
    Map<String, Long> sums = new TreeMap<>();
    traffic.forEach((kind, counted) -> sums.put(kind, counter.apply(counted).sum()));
    return sums;
  }

  @Override
  public long addFault(String requests, String files, long first, long count, String error) {
    return faults.add(Fault.parse(requests, files, first, count, error));
  }

  @Override
  public void clearFaults() {
    faults.clear();
  }

  @Override
  public long matchedRequests(long fault) {
    return faults.get(fault).matched();
  }

  @Override
  public long failedRequests(long fault) {
    return faults.get(fault).failed();
  }

  @Override
  public List<String> describeRequests(long fault) {
    return faults.get(fault).requests();
  }
}
