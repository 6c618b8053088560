/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import io.kasane.host.refuse.HostException;
import io.kasane.host.refuse.Refusal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * Reads settings, and says of each that is none what it may be.
 *
 * @param settings by their names
 * @param source for messages
 */
record SettingsReader(Map<?, ?> settings, String source) {
  /** Returns what a setting is as it was read; null if nothing was said. */
  Object get(String name) {
    return settings.get(name);
  }

  Optional<String> text(String name, String bound) {
    Object value = settings.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if ((value instanceof String || value instanceof Number) && !value.toString().isBlank()) {
      return Optional.of(value.toString().strip());
    }
    throw bad(name, value, bound, "leave it out");
  }

  void requireKnown(Set<String> known) {
    for (Object key : settings.keySet()) {
      if (!(key instanceof String name) || !known.contains(name)) {
        throw new HostException(
            source
                + ": unknown setting "
                + Refusal.quote(key)
                + "; known ones are "
                + known
                + ": correct or remove it");
      }
    }
  }

  List<Path> directories(String name) {
    Object value = settings.get(name);
    String otherwise = "leave it out for no fast disk";
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> entries)) {
      throw bad(name, value, "a list of paths", otherwise);
    }
    List<Path> paths = new ArrayList<>();
    for (Object entry : entries) {
      paths.add(
          absolute(entry)
              .orElseThrow(() -> bad(name, entry, "a list of absolute paths", otherwise)));
    }
    return paths;
  }

  Optional<Path> directory(String name, String otherwise) {
    Object value = settings.get(name);
    if (value == null) {
      return Optional.empty();
    }
    return Optional.of(
        absolute(value)
            .orElseThrow(
                () -> bad(name, value, "an absolute path", "leave it out for " + otherwise)));
  }

  private static Optional<Path> absolute(Object value) {
    if (!(value instanceof String text)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(text)).filter(Path::isAbsolute).map(Path::normalize);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  OptionalLong size(String name, long leastBytes, String otherwise) {
    Object value = settings.get(name);
    if (value == null) {
      return OptionalLong.empty();
    }
    try {
      long bytes =
          value instanceof String || value instanceof Number
              ? NodeConfig.parseBytes(String.valueOf(value).trim())
              : -1;
      if (bytes >= leastBytes) {
        return OptionalLong.of(bytes);
      }
    } catch (ConfigurationException | IllegalArgumentException e) {
      throw notASize(name, value, leastBytes, otherwise);
    }
    throw notASize(name, value, leastBytes, otherwise);
  }

  private HostException notASize(String name, Object value, long leastBytes, String otherwise) {
    return bad(
        name,
        value,
        "a size of at least "
            + (leastBytes == 0 ? "0" : (leastBytes >> 20) + "MiB")
            + " with a unit, such as 512MiB or 200GiB",
        "leave it out for " + otherwise);
  }

  boolean yesOrNo(String name) {
    Object value = settings.get(name);
    if (value == null) {
      return false;
    }
    if (value instanceof Boolean yes) {
      return yes;
    }
    throw bad(name, value, "true or false", "leave it out for false");
  }

  HostException bad(String name, Object value, String bound, String otherwise) {
    return new HostException(
        source + ": " + Refusal.of(name, value, bound, "correct it, or " + otherwise));
  }
}
