/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.refuse;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/**
 * The versions of Kasane's jars on the class path, as their manifests say. Parts of two versions
 * were never tried together: a copy of new jars that left an old one behind must not serve.
 */
public final class JarVersions {
  private static final String MANIFEST = "META-INF/MANIFEST.MF";
  private static final String OURS = "kasane-";

  private JarVersions() {}

  /** The version of this build; "unpackaged" where it runs from class files. */
  public static String ours() {
    String version = JarVersions.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  /**
   * Checks that all of them are of one version.
   *
   * @throws HostException if they are not
   */
  public static void check() {
    check(found(JarVersions.class.getClassLoader()));
  }

  static void check(Map<String, String> versions) {
    if (versions.values().stream().distinct().count() > 1) {
      throw new HostException(
          "the jars of Kasane in lib/ are of several versions: "
              + versions
              + ". Remove all kasane-*.jar there, and copy those of one version");
    }
  }

  /** Versions by the addresses of the jars. */
  static Map<String, String> found(ClassLoader loader) {
    Map<String, String> versions = new TreeMap<>();
    try {
      for (URL url : Collections.list(loader.getResources(MANIFEST))) {
        Attributes attributes = attributes(url);
        String title = attributes.getValue(Attributes.Name.IMPLEMENTATION_TITLE);
        String version = attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        if (title != null && title.startsWith(OURS) && version != null) {
          versions.put(jarOf(url), version);
        }
      }
    } catch (IOException e) {
      throw new HostException("cannot read the manifests of lib/: " + e.getMessage(), e);
    }
    return versions;
  }

  /**
   * {@code jar:file:/lib/kasane-tier-0.1.0.jar!/META-INF/MANIFEST.MF} without what says nothing.
   */
  private static String jarOf(URL manifest) {
    String address = manifest.toString();
    int end = address.indexOf("!/");
    return end < 0 ? address : address.substring(address.lastIndexOf('/', end - 1) + 1, end);
  }

  private static Attributes attributes(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      return new Manifest(in).getMainAttributes();
    }
  }
}
