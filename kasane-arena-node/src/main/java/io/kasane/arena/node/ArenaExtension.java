/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.host.KasaneHost;
import io.kasane.host.NodeExtension;
import io.kasane.host.claim.DirectoryClaim;
import io.kasane.host.config.ArenaSettings;
import io.kasane.host.refuse.HostException;
import io.kasane.host.view.Views;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Starts a node's arenas with it, if it has any. */
public final class ArenaExtension implements NodeExtension {
  private static final String SETTING = "arenas.directory";

  /** For {@link java.util.ServiceLoader}. */
  public ArenaExtension() {}

  @Override
  public void start(KasaneHost host) {
    Optional<ArenaSettings> settings = host.config().arenas();
    if (settings.isEmpty()) {
      return;
    }
    ArenaHeap.require(settings.get(), Runtime.getRuntime().maxMemory());
    try {
      // Held for as long as the process runs.
      DirectoryClaim.take(settings.get().directory(), host.nodeId(), SETTING);
      ArenaFiles files = ArenaFiles.open(settings.get());
      NodeArenas arenas = new NodeArenas(settings.get(), files);
      if (settings.get().server().isPresent()) {
        ArenaAdmissions.register(
            settings.get(), settings.get().server().get(), files.createTokenKey());
      }
      Views.register(List.of(ArenaView.of(arenas)));
      arenas.start();
    } catch (IOException e) {
      throw new HostException(
          "kasane.yaml: " + SETTING + " is " + settings.get().directory() + ": " + e, e);
    }
  }
}
