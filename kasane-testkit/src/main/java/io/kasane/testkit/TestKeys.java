/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A key and a certificate that it signed itself, made by Java's own {@code keytool}.
 *
 * @param keystore both of them, PKCS #12
 * @param certificate the certificate alone, PEM
 */
public record TestKeys(Path keystore, Path certificate) {
  /** Of the keystore. */
  public static final String PASSWORD = "changeit";

  private static final String ALIAS = "server";

  /**
   * Makes them.
   *
   * @param directory where the files go
   * @param name of the files
   * @param alternativeNames as keytool writes them, {@code dns:localhost,ip:127.0.0.1}
   */
  public static TestKeys make(Path directory, String name, String alternativeNames)
      throws IOException, InterruptedException {
    TestKeys keys =
        new TestKeys(directory.resolve(name + ".p12"), directory.resolve(name + ".pem"));
    keytool(
        "-genkeypair",
        "-alias",
        ALIAS,
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-ext",
        "SAN=" + alternativeNames,
        "-storetype",
        "PKCS12",
        "-keystore",
        keys.keystore.toString(),
        "-storepass",
        PASSWORD);
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        ALIAS,
        "-file",
        keys.certificate.toString(),
        "-keystore",
        keys.keystore.toString(),
        "-storepass",
        PASSWORD);
    return keys;
  }

  private static void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
  }
}
