/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.disks;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Uses a disk through plain {@code java.nio} and prints what it saw: the program that the modelled
 * disk is put beneath, in a process of its own.
 */
public final class CellRun {
  /** Those of all jobs fit in memory; a sequential job seeks back to the start of one seldom. */
  private static final long FILE_BYTES = 256L << 20;

  private final Path directory;
  private final long durationNanos;

  private CellRun(Path directory, long durationNanos) {
    this.directory = directory;
    this.durationNanos = durationNanos;
  }

  /**
   * Runs all cells, and prints for each its number, requests per second, mean and 99th percentile
   * in milliseconds.
   *
   * @param arguments a directory on the disk, and the seconds of each cell
   */
  public static void main(String[] arguments) throws Exception {
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[1]));
    CellRun run = new CellRun(Path.of(arguments[0]), nanos);
    List<Cell> cells = Cell.all();
    for (int i = 0; i < cells.size(); i++) {
      System.out.println("cell " + i + " " + run.measure(cells.get(i)));
    }
  }

  private String measure(Cell cell) throws IOException, InterruptedException, ExecutionException {
    for (int job = 0; job < cell.jobs(); job++) {
      warmUp(file(cell, job));
    }
    ExecutorService jobs = Executors.newFixedThreadPool(cell.jobs());
    long began = System.nanoTime();
    List<Future<long[]>> running = new ArrayList<>();
    for (int job = 0; job < cell.jobs(); job++) {
      int number = job;
      running.add(jobs.submit(() -> job(cell, number, began + durationNanos)));
    }
    List<long[]> latencies = new ArrayList<>();
    for (Future<long[]> one : running) {
      latencies.add(one.get());
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    jobs.shutdown();
    long[] all = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    double mean = Arrays.stream(all).average().orElseThrow() / 1e6;
    double p99 = all[(int) (all.length * 0.99)] / 1e6;
    return all.length / seconds + " " + mean + " " + p99;
  }

  private long[] job(Cell cell, int number, long until) throws IOException {
    Path file = file(cell, number);
    long[] latencies = new long[1 << 16];
    int count = 0;
    SplittableRandom random = new SplittableRandom(number);
    ByteBuffer block = ByteBuffer.allocateDirect(cell.blockBytes());
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long offset = 0;
      for (long begin = System.nanoTime(); begin < until; begin = System.nanoTime()) {
        if (!cell.sequential()) {
          offset = random.nextLong(FILE_BYTES / cell.blockBytes()) * cell.blockBytes();
        }
        block.clear();
        if (cell.write()) {
          channel.write(block, offset);
          channel.force(false);
        } else {
          channel.read(block, offset);
        }
        if (count == latencies.length) {
          latencies = Arrays.copyOf(latencies, 2 * count);
        }
        latencies[count++] = System.nanoTime() - begin;
        offset = (offset + cell.blockBytes()) % FILE_BYTES;
      }
    }
    return Arrays.copyOf(latencies, count);
  }

  private Path file(Cell cell, int job) {
    return directory.resolve(cell.sequential() ? "sequential-" + job : "random");
  }

  /**
   * Makes a file of holes, since the model does not ask what the real file is made of, and brings
   * it into memory once: that is the real disk's time, and no cell is to pay for it.
   */
  private static void warmUp(Path file) throws IOException {
    if (Files.exists(file)) {
      return;
    }
    // Only java.nio is modelled: java.io goes past the model.
    try (RandomAccessFile real = new RandomAccessFile(file.toString(), "rw")) {
      real.setLength(FILE_BYTES);
    }
    try (InputStream real = new FileInputStream(file.toString())) {
      real.transferTo(OutputStream.nullOutputStream());
    }
  }
}
