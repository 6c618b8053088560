/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.refuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarVersionsTest {
  @TempDir private Path lib;

  private URL jar(String title, String version) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.IMPLEMENTATION_TITLE, title);
    attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    Path file = lib.resolve(title + "-" + version + ".jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      jar.finish();
    }
    return file.toUri().toURL();
  }

  private static Map<String, String> found(URL... jars) throws IOException {
    try (URLClassLoader loader = new URLClassLoader(jars, null)) {
      return JarVersions.found(loader);
    }
  }

  @Test
  void jarsOfOthersDoNotCount() throws Exception {
    Map<String, String> found =
        found(jar("kasane-host", "1.0"), jar("kasane-tier", "1.0"), jar("netty", "4.1"));
    assertThat(found).isEqualTo(Map.of("kasane-host-1.0.jar", "1.0", "kasane-tier-1.0.jar", "1.0"));
    JarVersions.check(found);
  }

  @Test
  void twoVersionsAreRefusedAndNamed() throws Exception {
    Map<String, String> found = found(jar("kasane-host", "1.1"), jar("kasane-tier", "1.0"));
    assertThatThrownBy(() -> JarVersions.check(found))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("kasane-host-1.1.jar=1.1")
        .hasMessageContaining("kasane-tier-1.0.jar=1.0")
        .hasMessageContaining("Remove all");
  }

  @Test
  void anOldJarThatWasLeftIsFound() throws Exception {
    Map<String, String> found = found(jar("kasane-tier", "1.0"), jar("kasane-tier", "1.1"));
    assertThatThrownBy(() -> JarVersions.check(found)).isInstanceOf(HostException.class);
  }
}
