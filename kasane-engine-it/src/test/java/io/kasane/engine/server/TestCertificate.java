/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A certificate of this machine that has signed itself, and its key, as PEM.
 *
 * @param certificate its file
 * @param key its file
 */
public record TestCertificate(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";
  private static final String ALIAS = "test";

  /** Makes one below a directory. */
  public static TestCertificate make(Path directory) throws Exception {
    Path store = directory.resolve("test.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "RSA",
            "-keysize",
            "2048",
            "-validity",
            "2",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD);
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
    return read(directory, store);
  }

  private static TestCertificate read(Path directory, Path store)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return new TestCertificate(
        write(
            directory.resolve("certificate.pem"),
            "CERTIFICATE",
            keys.getCertificate(ALIAS).getEncoded()),
        write(
            directory.resolve("key.pem"),
            "PRIVATE KEY",
            keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
  }

  private static Path write(Path file, String what, byte[] encoded) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n");
  }
}
