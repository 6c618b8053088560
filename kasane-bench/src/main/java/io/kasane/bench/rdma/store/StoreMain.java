/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import io.kasane.arena.ArenaWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One server. Says on its standard output at which port of the loopback address it listens, and
 * ends when its standard input does.
 */
@Command(name = "store")
public final class StoreMain implements Callable<Integer> {
  /** The identity of the arena's table. */
  public static final UUID TABLE = new UUID(0, 1);

  /** How long overwritten versions stay. */
  public static final Duration WINDOW = Duration.ofSeconds(5);

  private static final long BEAT_MILLIS = 100;

  @Option(names = "--transport", defaultValue = "sockets")
  private String transport;

  @Option(names = "--arena", description = "A file to show in what is committed.")
  private Path arena;

  @Option(names = "--slot-bytes", defaultValue = "0")
  private int slotBytes;

  @Option(names = "--arena-bytes", defaultValue = "0")
  private long arenaBytes;

  /** Runs it. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new StoreMain()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    ArenaWriter shown = arena == null ? null : show();
    Requests requests = new Requests(new Shard(shown, WINDOW));
    try (ServerSocketChannel listening = ServerSocketChannel.open()) {
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      endWithInput();
      System.out.println(((InetSocketAddress) listening.getLocalAddress()).getPort());
      System.out.flush();
      switch (transport) {
        case "sockets" -> new SocketServing(listening, requests).run();
        case "send-receive" -> new UcxServing(listening, requests).run();
        default -> new RingServing(listening, requests).run();
      }
    }
    return 0;
  }

  private ArenaWriter show() throws IOException {
    ArenaWriter writer =
        ArenaWriter.create(
            arena, TABLE, slotBytes, arenaBytes, PosixFilePermissions.fromString("rw-------"));
    daemon(
        () -> {
          while (true) {
            writer.beat();
            try {
              Thread.sleep(BEAT_MILLIS);
            } catch (InterruptedException e) {
              return;
            }
          }
        },
        "beats");
    return writer;
  }

  private static void endWithInput() {
    daemon(
        () -> {
          try {
            while (System.in.read() >= 0) {
              // Nothing is said there.
            }
          } catch (IOException e) {
            // It has ended, too.
          }
          Runtime.getRuntime().halt(0);
        },
        "end");
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
