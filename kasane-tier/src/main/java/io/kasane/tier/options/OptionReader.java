/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.options;

import io.kasane.host.config.NodeConfig;
import io.kasane.host.refuse.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * Reads one option after the other out of a compaction map.
 *
 * @param options the map
 * @param strict whether bad values are refused; else they are passed over for the default
 */
record OptionReader(Map<String, String> options, boolean strict) {
  private static final String AUTO = "auto";

  <E extends Enum<E>> E choice(String name, Set<E> choices, E otherwise) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    String wanted = value.trim().toLowerCase(Locale.ROOT).replace('_', '-');
    for (E candidate : choices) {
      if (label(candidate).equals(wanted)) {
        return candidate;
      }
    }
    refuse(
        name,
        value,
        "one of " + choices.stream().map(OptionReader::label).collect(Collectors.joining(", ")),
        "the default " + label(otherwise));
    return otherwise;
  }

  /**
   * One of some words, the first if the option is not set.
   *
   * @param baselines values of experiments, which are found on the class path
   */
  String word(String name, List<String> users, List<String> baselines) {
    String value = options.get(name);
    if (value == null) {
      return users.get(0);
    }
    String wanted = value.trim().toLowerCase(Locale.ROOT).replace('_', '-');
    List<String> all = Stream.concat(users.stream(), baselines.stream()).toList();
    if (all.contains(wanted)) {
      return wanted;
    }
    refuse(
        name,
        value,
        "one of " + String.join(", ", all) + BaselineProviders.remark(wanted),
        "the default " + users.get(0));
    return users.get(0);
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  OptionalDouble share(String name) {
    if (options.getOrDefault(name, "").trim().equalsIgnoreCase(AUTO)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(decimal(name, 0.5, 0, 1, ", or " + AUTO, "the default 0.5"));
  }

  OptionalDouble fill() {
    double fill = decimal(TierOptions.FAST_FILL, 0, 0.05, 0.85, "", "what suits the quota");
    return fill > 0 ? OptionalDouble.of(fill) : OptionalDouble.empty();
  }

  long integer(String name, long otherwise, long least, long most) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    String bound = "a whole number from " + least + " to " + most;
    String wayOut = otherwise == 0 ? "the default" : "the default " + otherwise;
    try {
      long number = Long.parseLong(value.trim());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      refuse(name, value, bound, wayOut);
    }
    refuse(name, value, bound, wayOut);
    return otherwise;
  }

  double decimal(String name, double otherwise, double least, double most) {
    return decimal(name, otherwise, least, most, "", "the default " + otherwise);
  }

  private double decimal(
      String name, double otherwise, double least, double most, String orElse, String wayOut) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    String bound = "a number from " + least + " to " + most + orElse;
    try {
      double number = Double.parseDouble(value.trim());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      refuse(name, value, bound, wayOut);
    }
    refuse(name, value, bound, wayOut);
    return otherwise;
  }

  long millis(String name, long otherwise, long least, long most) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    String bound = "a duration from " + least + "ms to " + most + "ms, such as 10s or 5m";
    String wayOut = "the default " + otherwise / 1000 + "s";
    try {
      long millis = new DurationSpec.LongMillisecondsBound(value.trim()).toMilliseconds();
      if (millis >= least && millis <= most) {
        return millis;
      }
    } catch (ConfigurationException | IllegalArgumentException e) {
      refuse(name, value, bound, wayOut);
    }
    refuse(name, value, bound, wayOut);
    return otherwise;
  }

  OptionalLong bytes(String name, String wayOut) {
    String value = options.get(name);
    if (value == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(NodeConfig.parseBytes(value.trim()));
    } catch (ConfigurationException | IllegalArgumentException e) {
      refuse(name, value, "a size of at least 0 with a unit, such as 512MiB or 200GiB", wayOut);
      return OptionalLong.empty();
    }
  }

  private void refuse(String name, String value, String bound, String otherwise) {
    if (strict) {
      throw new ConfigurationException(
          Refusal.of(
              "compaction option " + name,
              value,
              bound,
              "correct it, or leave it out for " + otherwise));
    }
  }
}
