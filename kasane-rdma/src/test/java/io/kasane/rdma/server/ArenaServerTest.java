/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.ArenaToken;
import io.kasane.rdma.client.RemoteArena;
import io.kasane.rdma.client.RemoteTransport;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ArenaServerTest extends ServedArena {
  @Test
  void whatAnArenaHasIsReadFromElsewhere() {
    try (RemoteArena arena = client()) {
      awaitHit(arena);
      List<Answer> read = read(arena, "two", "three", "one");
      assertThat(read.stream().map(Answer::outcome))
          .containsExactly(Outcome.HIT, Outcome.MISS, Outcome.HIT);
      assertThat(UTF_8.decode(read.get(0).body()).toString()).isEqualTo("value of two");
    }
  }

  @Test
  void whoeverShowsNoTokenOfTheNodeReadsNothing() {
    byte[] other = key.clone();
    other[0] = 1;
    try (RemoteArena arena = client(ID, other, Duration.ofMinutes(10), server.port());
        RemoteArena right = client()) {
      awaitHit(right);
      assertThat(arena.isConnected()).isFalse();
      assertThat(read(arena, "one").get(0).outcome()).isEqualTo(Outcome.SILENT);
    }
  }

  @Test
  void aTokenOfTheTableThatWasThereBeforeReadsNothing() {
    try (RemoteArena arena = client(new UUID(3, 4), key, Duration.ofMinutes(10), server.port());
        RemoteArena right = client()) {
      awaitHit(right);
      Awaitility.await().atMost(PATIENCE).until(arena::isConnected);
      assertThat(read(arena, "one").get(0).outcome()).isEqualTo(Outcome.SILENT);
      awaitHit(right);
    }
  }

  @Test
  void aTokenThatHasExpiredReadsNothing() {
    try (RemoteArena arena = client(ID, key, Duration.ofSeconds(1), server.port())) {
      awaitHit(arena);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> read(arena, "one").get(0).outcome() == Outcome.SILENT);
      awaitHit(arena); // with another token
    }
  }

  @Test
  void aServerThatEndedIsNotWaitedForAndComesBack() throws IOException {
    requireThatItIsNotWaitedForAndComesBack(RemoteTransport.tcp());
  }

  @Test
  void aServerThatHangsIsGivenUp() throws IOException {
    try (ServerSocket hangs = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread admits =
          new Thread(
              () -> {
                try (Socket client = hangs.accept()) {
                  OutputStream out = client.getOutputStream();
                  out.write(new byte[] {0, 0, 0}); // welcome, and then nothing
                  Thread.sleep(PATIENCE.toMillis());
                } catch (IOException | InterruptedException e) {
                  // The test is over.
                }
              });
      admits.setDaemon(true);
      admits.start();
      try (RemoteArena arena = client(ID, key, Duration.ofMinutes(10), hangs.getLocalPort())) {
        Awaitility.await().atMost(PATIENCE).until(arena::isConnected);
        long began = System.nanoTime();
        assertThat(read(arena, "one").get(0).outcome()).isEqualTo(Outcome.SILENT);
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .isLessThan(MAX_WAIT.multipliedBy(4));
        assertThat(arena.isConnected()).isFalse();
      }
      admits.interrupt();
    }
  }

  @Test
  void whoeverSendsAnythingElseHarmsNobody() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (RemoteArena arena = client()) {
      awaitHit(arena);
      for (int i = 0; i < 200; i++) {
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
          byte[] bytes = new byte[random.nextInt(200)];
          random.nextBytes(bytes);
          stranger.getOutputStream().write(bytes);
          stranger.shutdownOutput();
          stranger.setSoTimeout(10_000);
          int read = new DataInputStream(stranger.getInputStream()).readAllBytes().length;
          assertThat(read).isLessThan(2_000);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("reset");
        }
      }
      awaitHit(arena);
      Awaitility.await().atMost(PATIENCE).until(() -> server.connections() == 1);
    }
  }

  @Test
  void moreThanMayConnectAreTurnedAway() throws IOException {
    server.close();
    server = serve(0, 1);
    try (RemoteArena first = client()) {
      awaitHit(first);
      try (Socket second = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        second.setSoTimeout(10_000);
        assertThat(second.getInputStream().read()).isEqualTo(-1);
      }
      awaitHit(first);
    }
  }

  /** Else few strangers could keep all connections, a byte now and then. */
  @Test
  void whoeverTakesLongToShowATokenIsEnded() throws Exception {
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = slow.getOutputStream();
      ByteBuffer beginning = ByteBuffer.allocate(Long.BYTES + Short.BYTES);
      beginning.put("KASARDM2".getBytes(UTF_8)).putShort((short) ArenaToken.MAX_LENGTH);
      out.write(beginning.array());
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                try {
                  out.write('A'); // a whole token takes longer than this test waits
                  out.flush();
                  return false;
                } catch (IOException e) {
                  return true;
                }
              });
    }
    Awaitility.await().atMost(PATIENCE).until(() -> server.connections() == 0);
  }

  // ---- TLS

  private static final String PASSWORD = "changeit";

  /** A key and its certificate for a host, made by the JDK's own tool. */
  private Path keyStore(String name, String host) throws Exception {
    Path file = dir.resolve(name + ".p12");
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=" + host,
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(tool.getInputStream().readAllBytes(), UTF_8);
    assertThat(tool.waitFor()).as(said).isZero();
    return file;
  }

  private ServerTls tls(Path keyStore) throws IOException {
    Path password = Files.writeString(dir.resolve("password"), PASSWORD + "\n");
    return ServerTls.of(keyStore, password);
  }

  private static RemoteTransport trusting(Path keyStore) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "server",
        KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray()).getCertificate("server"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return RemoteTransport.tcp().withTls(context);
  }

  @Test
  void overTlsOnlyWhoTrustsTheServerAsThatHostReadsAnything() throws Exception {
    Path own = keyStore("own", "ip:127.0.0.1");
    Path others = keyStore("others", "ip:127.0.0.1");
    server.close();
    server = serve(0, 10, Optional.of(tls(own)));
    try (RemoteArena right = client(trusting(own));
        RemoteArena distrusts = client(trusting(others));
        RemoteArena plain = client(RemoteTransport.tcp())) {
      awaitHit(right);
      assertThat(read(right, "one", "three").stream().map(Answer::outcome))
          .containsExactly(Outcome.HIT, Outcome.MISS);
      assertThat(distrusts.isConnected()).isFalse();
      assertThat(plain.isConnected()).isFalse();
    }
    Path elsewhere = keyStore("elsewhere", "dns:another.host");
    server.close();
    server = serve(0, 10, Optional.of(tls(elsewhere)));
    int before = tokensAsked.get();
    try (RemoteArena otherHost = client(trusting(elsewhere))) {
      // It tries again once the first connection has failed.
      Awaitility.await().atMost(PATIENCE).until(() -> tokensAsked.get() >= before + 2);
      assertThat(otherHost.isConnected()).isFalse();
    }
  }

  @Test
  void aKeyStoreThatCannotBeUsedIsToldByItsName() throws Exception {
    Path keyStore = keyStore("own", "ip:127.0.0.1");
    Path wrong = Files.writeString(dir.resolve("wrong"), "wrong");
    assertThatIOException()
        .isThrownBy(() -> ServerTls.of(keyStore, wrong))
        .withMessageContaining("own.p12");
    assertThatIOException()
        .isThrownBy(() -> ServerTls.of(dir.resolve("none.p12"), wrong))
        .withMessageContaining("none.p12");
  }
}
