/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Kasane's jars in a {@code lib} directory become these and no others. A list beside them says
 * which files came with Kasane, so that jars of others that an engine needs go with it, too.
 *
 * @param lib where Cassandra has its jars
 * @param jars that are to be there; none to take all away
 */
record JarStep(Path lib, List<Path> jars) implements Step {
  static final String LIST = "kasane-jars.txt";
  private static final String OURS = "kasane-";

  JarStep {
    jars = List.copyOf(jars);
    for (Path jar : jars) {
      String artifact = artifact(jar.getFileName().toString());
      if (!artifact.startsWith(OURS)) {
        requireNoOther(lib, jar.getFileName().toString(), artifact);
      }
    }
  }

  /** Two versions of a library in one class path are a lottery. */
  private static void requireNoOther(Path lib, String name, String artifact) {
    Set<String> ours = listed(lib);
    for (String present : names(lib)) {
      if (!ours.contains(present) && !present.equals(name) && artifact(present).equals(artifact)) {
        throw new NodeException(
            lib.resolve(present)
                + " is there, and Kasane would bring "
                + name
                + ": leave storage engines out, or remove it if nothing of yours needs it");
      }
    }
  }

  private static String artifact(String jar) {
    return jar.replaceFirst("-\\d.*", "");
  }

  /** Jars that are there now and came with Kasane, of whatever version. */
  static Set<String> present(Path lib) {
    Set<String> listed = listed(lib);
    return names(lib).stream()
        .filter(name -> name.startsWith(OURS) || listed.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> names(Path lib) {
    try (Stream<Path> files = Files.list(lib)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new NodeException("cannot list " + lib + ": " + e.getMessage(), e);
    }
  }

  private static Set<String> listed(Path lib) {
    return TextChange.read(lib.resolve(LIST))
        .map(text -> text.lines().collect(Collectors.toCollection(TreeSet::new)))
        .orElseGet(TreeSet::new);
  }

  private Set<String> wanted() {
    return jars.stream()
        .map(jar -> jar.getFileName().toString())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<String> unwanted() {
    Set<String> wanted = wanted();
    return present(lib).stream().filter(name -> !wanted.contains(name)).toList();
  }

  private List<Path> missing() {
    List<Path> missing = new ArrayList<>();
    for (Path jar : jars) {
      Path there = lib.resolve(jar.getFileName());
      try {
        if (!Files.exists(there) || Files.mismatch(jar, there) >= 0) {
          missing.add(jar);
        }
      } catch (IOException e) {
        throw new NodeException("cannot compare " + jar + ": " + e.getMessage(), e);
      }
    }
    return missing;
  }

  @Override
  public String shown() {
    StringBuilder text = new StringBuilder();
    unwanted().forEach(name -> text.append("- ").append(lib.resolve(name)).append('\n'));
    missing().forEach(jar -> text.append("+ ").append(lib.resolve(jar.getFileName())).append('\n'));
    return text.toString();
  }

  @Override
  public void run() throws IOException {
    Path list = lib.resolve(LIST);
    Set<String> ours = new TreeSet<>(listed(lib));
    ours.addAll(wanted());
    if (!ours.isEmpty()) {
      Files.write(list, ours); // first: who is interrupted still knows what is Kasane's
    }
    for (Path jar : missing()) {
      Path next = lib.resolve(jar.getFileName() + ".kasane-new");
      Files.copy(jar, next, StandardCopyOption.REPLACE_EXISTING);
      Owners.copy(lib, next);
      Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(
          next,
          lib.resolve(jar.getFileName()),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
    for (String name : unwanted()) {
      Files.delete(lib.resolve(name));
    }
    if (jars.isEmpty()) {
      Files.deleteIfExists(list);
    } else {
      Files.write(list, wanted());
    }
  }
}
