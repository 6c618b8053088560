/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.login;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import io.kasane.node.NodeException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS to a node: whom to trust and as whom to come, from PEM files or keystores. The host's name or
 * address must be in the server's certificate unless the user says otherwise.
 */
final class ClientTls implements SslEngineFactory {
  private final SslContext context;
  private final boolean checksNames;

  private ClientTls(SslContext context, boolean checksNames) {
    this.context = context;
    this.checksNames = checksNames;
  }

  /**
   * Where certificates and keys are.
   *
   * @param authority PEM file of certificates to trust, or a keystore of them; absent = Java's own
   * @param certificate PEM file of this client's certificate, with {@code key}
   * @param key PEM file of its key, PKCS #8
   * @param keystore this client's certificate and key in a keystore
   * @param password of keystores, and of the key if it is encrypted
   * @param validates whether the certificate is looked at: cqlsh may be told not to
   * @param checksNames whether the host's name has to be in it
   */
  record Material(
      Optional<Path> authority,
      Optional<Path> certificate,
      Optional<Path> key,
      Optional<Path> keystore,
      Optional<String> password,
      boolean validates,
      boolean checksNames) {}

  /** Reads the files. */
  static ClientTls of(Material material) {
    SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
    if (!material.validates()) {
      builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
    } else {
      material.authority().ifPresent(file -> trust(builder, file, material.password()));
    }
    material.keystore().ifPresent(file -> present(builder, file, material.password()));
    material
        .certificate()
        .ifPresent(
            file -> present(builder, file, material.key().orElse(file), material.password()));
    try {
      return new ClientTls(builder.build(), material.validates() && material.checksNames());
    } catch (IOException e) {
      throw new NodeException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private static void trust(SslContextBuilder builder, Path file, Optional<String> password) {
    try {
      if (isPem(file)) {
        builder.trustManager(file.toFile());
        return;
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(keystore(file, password));
      builder.trustManager(trust);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw unusable("certificates to trust", file, e);
    }
  }

  private static void present(SslContextBuilder builder, Path store, Optional<String> password) {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(keystore(store, password), password.map(String::toCharArray).orElse(null));
      builder.keyManager(keys);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw unusable("a key with its certificate", store, e);
    }
  }

  private static void present(
      SslContextBuilder builder, Path certificate, Path key, Optional<String> password) {
    try {
      builder.keyManager(certificate.toFile(), key.toFile(), password.orElse(null));
    } catch (IllegalArgumentException e) {
      throw unusable("a certificate and its key (PEM, PKCS #8)", key, e);
    }
  }

  private static KeyStore keystore(Path file, Optional<String> password)
      throws IOException, GeneralSecurityException {
    // Reads JKS, too.
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password.map(String::toCharArray).orElse(null));
    }
    return store;
  }

  private static boolean isPem(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(1 << 16), ISO_8859_1).contains("-----BEGIN ");
    }
  }

  private static NodeException unusable(String what, Path file, Exception cause) {
    Throwable root = cause;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return new NodeException(
        "TLS: " + file + " cannot be read as " + what + ": " + root.getMessage(), cause);
  }

  @Override
  public SSLEngine newSslEngine(EndPoint remote) {
    InetSocketAddress address = (InetSocketAddress) remote.resolve();
    SSLEngine engine =
        context.newEngine(ByteBufAllocator.DEFAULT, address.getHostString(), address.getPort());
    if (checksNames) {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      engine.setSSLParameters(parameters);
    }
    return engine;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
