/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * The release's archive, unpacked, and the command in it.
 *
 * @param directory where it is
 */
record UnpackedRelease(Path directory) {
  private static final Path ARCHIVES = Path.of("../kasane-release/target");

  /** Unpacks it. */
  static UnpackedRelease in(Path directory) throws Exception {
    Path archive;
    try (Stream<Path> files = Files.list(ARCHIVES)) {
      archive =
          files
              .filter(file -> file.getFileName().toString().matches("kasane-\\d.*\\.tar\\.gz"))
              .findFirst()
              .orElseThrow();
    }
    UnpackedRelease release = new UnpackedRelease(Files.createDirectories(directory));
    release.run(
        0, List.of("tar", "xzf", archive.toAbsolutePath().toString(), "--strip-components=1"));
    return release;
  }

  /** The same with jars for nodes that say they are of another version. */
  static UnpackedRelease ofVersion(String version, Path directory) throws Exception {
    UnpackedRelease release = in(directory);
    List<Path> jars;
    try (Stream<Path> files = Files.list(directory.resolve("lib/kasane"))) {
      jars = files.toList();
    }
    for (Path jar : jars) {
      String module = jar.getFileName().toString().replaceFirst("-\\d.*", "");
      rewrite(jar, jar.resolveSibling(module + "-" + version + ".jar"), version);
      Files.delete(jar);
    }
    return release;
  }

  private static void rewrite(Path from, Path to, String version) throws IOException {
    try (JarFile jar = new JarFile(from.toFile());
        OutputStream file = Files.newOutputStream(to)) {
      Manifest manifest = jar.getManifest();
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
      try (JarOutputStream out = new JarOutputStream(file, manifest)) {
        Enumeration<JarEntry> entries = jar.entries();
        while (entries.hasMoreElements()) {
          JarEntry entry = entries.nextElement();
          if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
            out.putNextEntry(new JarEntry(entry.getName()));
            try (InputStream in = jar.getInputStream(entry)) {
              in.transferTo(out);
            }
          }
        }
      }
    }
  }

  /** Runs its command; returns what that printed. */
  String kasane(int status, List<String> words) throws Exception {
    List<String> command = new ArrayList<>(List.of(directory.resolve("bin/kasane").toString()));
    command.addAll(words);
    return run(status, command);
  }

  String run(int status, List<String> command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, said).isEqualTo(status);
    return said;
  }

  /** Settings and names of jars below a directory; what a node prints does not count. */
  static Map<String, String> files(Path below) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(below)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = below.relativize(file).toString();
        if (!name.endsWith("out.log")) {
          files.put(name, name.endsWith(".jar") ? "" : Files.readString(file));
        }
      }
    }
    return files;
  }
}
