/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.rdma.store.StoreMain;
import io.kasane.node.NodeException;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server in a process of its own, which ends with this one. */
public final class StoreProcess implements Closeable {
  /** What a key's name and siblings take in a slot, beside its value. */
  private static final int OVERHEAD_BYTES = 256;

  /** Memory that both processes have. */
  private static final String UCX_TRANSPORTS =
      System.getProperty("kasane.ucx.tls", "posix,sysv,cma,self");

  private static final int SLOT_ALIGNMENT = 64;

  private final Process process;
  private final int port;
  private final Optional<Path> arena;

  private StoreProcess(Process process, int port, Optional<Path> arena) {
    this.process = process;
    this.port = port;
    this.arena = arena;
  }

  /**
   * How large its arena is.
   *
   * @param slots how many keys it has room for
   * @param valueBytes of a key
   * @param siblings how many names a version has
   */
  public record ArenaSize(long slots, int valueBytes, int siblings) {
    int slotBytes() {
      int wanted = valueBytes + OVERHEAD_BYTES + siblings * Integer.BYTES * 8;
      return (wanted + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    }

    long bytes() {
      return slots * slotBytes() + 4_096;
    }
  }

  /**
   * Starts one and waits until it listens.
   *
   * @param directory in shared memory, for its arena
   */
  static StoreProcess start(Transport transport, Path directory, int number, ArenaSize size) {
    Optional<Path> arena =
        transport.isOneSided()
            ? Optional.of(directory.resolve("store-" + number + ".arena"))
            : Optional.empty();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms128m",
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:MaxDirectMemorySize=1g",
                "-Dkasane.ucx.tls=" + UCX_TRANSPORTS,
                "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-cp",
                System.getProperty("java.class.path"),
                StoreMain.class.getName()));
    command.add("--transport=" + transport.label());
    arena.ifPresent(
        file ->
            command.addAll(
                List.of(
                    "--arena=" + file,
                    "--slot-bytes=" + size.slotBytes(),
                    "--arena-bytes=" + size.bytes())));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      String line = out.readLine();
      if (line == null) {
        throw new NodeException("a server of the store ended before it listened");
      }
      return new StoreProcess(process, Integer.parseInt(line), arena);
    } catch (IOException e) {
      throw new NodeException("a server of the store cannot be started: " + e.getMessage(), e);
    }
  }

  int port() {
    return port;
  }

  Optional<Path> arena() {
    return arena;
  }

  /** What its process has used of the processors. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
