/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader;
import io.kasane.bench.rdma.store.StoreMain;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.version.CorruptVersionException;
import io.kasane.ramp.version.VersionCodec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Reads committed versions out of the servers' memory. Thread-safe. */
final class SlotReads implements Closeable {
  /** One hit in so many is asked for besides, so that servers know what is read. */
  private static final int ASKED = 400;

  private static final long LOOK_MILLIS = 50;

  private final List<ArenaReader> arenas = new ArrayList<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder torn = new LongAdder();
  private final LongAdder silent = new LongAdder();
  private final LongAdder asked = new LongAdder();
  private final Thread looks = new Thread(this::look, "looks");

  /** Maps the arenas of servers, in their order. */
  SlotReads(List<Path> files) throws IOException {
    for (Path file : files) {
      arenas.add(ArenaReader.open(file, StoreMain.TABLE));
    }
    looks.setDaemon(true);
    looks.start();
  }

  private void look() {
    try {
      while (true) {
        arenas.forEach(ArenaReader::look);
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      // It is closed.
    }
  }

  /** The version in a key's slot; null if its server is to be asked. */
  Answer read(int server, ArenaKey key) {
    if (ThreadLocalRandom.current().nextInt(ASKED) == 0) {
      asked.increment();
      return null;
    }
    ArenaReader.Answer answer = arenas.get(server).get(key);
    try {
      switch (answer.outcome()) {
        case HIT -> {
          Answer version = new Answer.Present(VersionCodec.decode(answer.body()));
          hits.increment();
          return version;
        }
        case MISS -> misses.increment();
        case TORN -> torn.increment();
        case SILENT -> silent.increment();
      }
    } catch (CorruptVersionException e) {
      torn.increment();
    }
    return null;
  }

  OneSided counts() {
    return new OneSided(hits.sum(), misses.sum(), torn.sum(), silent.sum(), asked.sum());
  }

  @Override
  public void close() {
    looks.interrupt();
    arenas.forEach(ArenaReader::close);
  }
}
