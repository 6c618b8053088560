/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.options;

import io.kasane.tier.place.PlacementProvider;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Option values that only experiments use: the baselines that ServiceLoader finds on the node's
 * class path. Looked up once.
 */
final class BaselineProviders {
  private static final Logger logger = LoggerFactory.getLogger(BaselineProviders.class);

  /** What the jar of baselines has: for those who name one without it. */
  private static final Set<String> KNOWN =
      Set.of("window", "listed", "fast-first", "free-space", "rewrite");

  private static final List<PlacementProvider> PLACEMENTS = load(PlacementProvider.class);
  private static final List<BaselinePolicyProvider> POLICIES = load(BaselinePolicyProvider.class);

  private BaselineProviders() {}

  /** A node must boot with whatever lies on its class path. */
  private static <T> List<T> load(Class<T> type) {
    List<T> found = new ArrayList<>();
    try {
      ServiceLoader.load(type, type.getClassLoader()).forEach(found::add);
    } catch (ServiceConfigurationError | LinkageError e) {
      logger.error("Baselines of another version are on the class path: take their jar out", e);
    }
    return List.copyOf(found);
  }

  static Optional<PlacementProvider> placement(String option, String name) {
    return PLACEMENTS.stream().filter(named(option)).filter(p -> p.name().equals(name)).findAny();
  }

  static List<String> placements(String option) {
    return PLACEMENTS.stream().filter(named(option)).map(PlacementProvider::name).sorted().toList();
  }

  private static Predicate<PlacementProvider> named(String option) {
    return provider -> provider.option().equals(option);
  }

  static Optional<BaselinePolicyProvider> policy(String name) {
    return POLICIES.stream().filter(policy -> policy.name().equals(name)).findAny();
  }

  static List<String> policies() {
    return POLICIES.stream().map(BaselinePolicyProvider::name).sorted().toList();
  }

  /** The options that policies read besides those of users. */
  static Set<String> options() {
    return POLICIES.stream()
        .flatMap(policy -> policy.options().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** What a refusal says besides, of a value that is a baseline. */
  static String remark(String value) {
    return KNOWN.contains(value)
        ? " ('" + value + "' is a baseline of experiments: it needs the jar kasane-baselines)"
        : "";
  }
}
