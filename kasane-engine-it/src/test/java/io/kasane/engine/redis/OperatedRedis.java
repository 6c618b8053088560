/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.server.OperatedServer;
import io.kasane.engine.server.TestCertificate;
import io.kasane.engine.spi.EngineServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A Redis server as an operator would run it: on a port, with a password and a certificate. */
final class OperatedRedis implements OperatedServer {
  private static final String USER = "kasane";
  private static final String PASSWORD = "secret";

  private final Path directory;
  private final TestCertificate certificate;
  private final Path passwordFile;
  private final int port;
  private final boolean isEncrypted;
  private Process process;

  private OperatedRedis(Path directory, boolean isEncrypted) throws Exception {
    this.directory = directory;
    this.isEncrypted = isEncrypted;
    this.certificate = TestCertificate.make(directory);
    this.passwordFile = OperatedServer.passwordFile(directory.resolve("password"), PASSWORD);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = socket.getLocalPort();
    }
  }

  static OperatedRedis start(Path directory, boolean isEncrypted) throws Exception {
    OperatedRedis server = new OperatedRedis(directory, isEncrypted);
    server.begin();
    return server;
  }

  @Override
  public void begin() throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                RedisExecutable.find(directory.resolve("bin")).toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                isEncrypted ? "0" : String.valueOf(port),
                "--dir",
                directory.toString(),
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--maxmemory",
                "2gb",
                "--user",
                USER,
                "on",
                ">" + PASSWORD,
                "~*",
                "&*",
                "+@all"));
    if (isEncrypted) {
      command.addAll(
          List.of(
              "--tls-port",
              String.valueOf(port),
              "--tls-auth-clients",
              "no",
              "--tls-cert-file",
              certificate.certificate().toString(),
              "--tls-key-file",
              certificate.key().toString(),
              "--tls-ca-cert-file",
              certificate.certificate().toString()));
    }
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new AssertionError(Files.readString(directory.resolve("log")));
              }
              call("PING");
              return true;
            });
  }

  /** Calls as an operator does. */
  Object call(String... words) throws Exception {
    try (RespConnection connection = RespConnection.open(database("0"), Duration.ofSeconds(5))) {
      connection.call(RedisWords.of("AUTH"), RedisWords.of(USER), RedisWords.of(PASSWORD));
      byte[][] command = new byte[words.length][];
      for (int i = 0; i < words.length; i++) {
        command[i] = RedisWords.of(words[i]);
      }
      return connection.call(command);
    }
  }

  @Override
  public EngineServer database(int number) {
    return database(String.valueOf(number));
  }

  EngineServer database(String number) {
    return new EngineServer(
        "localhost",
        port,
        number,
        Optional.of(USER),
        Optional.of(passwordFile),
        isEncrypted,
        isEncrypted ? Optional.of(certificate.certificate()) : Optional.empty());
  }

  @Override
  public ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void kill9() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
