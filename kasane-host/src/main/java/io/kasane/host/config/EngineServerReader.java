/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads which server of an operator's an engine is to use. */
final class EngineServerReader {
  /** A name, an address of version 4, or one of version 6 in brackets; and a port. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)\\]|([A-Za-z0-9_.-]+))(?::([0-9]{1,5}))?");

  private static final int MAX_PORT = 65_535;
  private static final String FORM = "a host and a port, such as db1.example.org:3306";

  private EngineServerReader() {}

  /** Returns the server of an engine's settings; empty if there is none. */
  static Optional<EngineServerSettings> read(SettingsReader engine) {
    Object value = engine.get(EngineSettings.SERVER);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof Map<?, ?> settings)) {
      throw engine.bad(
          EngineSettings.SERVER,
          value,
          "a map of " + EngineServerSettings.KNOWN,
          "leave it out for a server of the node's own");
    }
    SettingsReader reader =
        new SettingsReader(settings, engine.source() + "." + EngineSettings.SERVER);
    reader.requireKnown(EngineServerSettings.KNOWN);
    return Optional.of(server(reader));
  }

  private static EngineServerSettings server(SettingsReader reader) {
    String address = reader.text(EngineServerSettings.ADDRESS, FORM).orElse("");
    Matcher parts = ADDRESS.matcher(address);
    if (!parts.matches() || port(parts).orElse(1) < 1 || port(parts).orElse(1) > MAX_PORT) {
      throw reader.bad(
          EngineServerSettings.ADDRESS, address, FORM, "leave 'server' out for the node's own");
    }
    String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    boolean isEncrypted =
        reader.get(EngineServerSettings.TLS) == null
            ? !EngineServerSettings.LOOPBACK.contains(host)
            : reader.yesOrNo(EngineServerSettings.TLS);
    return new EngineServerSettings(
        host,
        port(parts),
        reader
            .text(EngineServerSettings.DATABASE, "the name of a database")
            .orElseThrow(
                () ->
                    reader.bad(
                        EngineServerSettings.DATABASE,
                        null,
                        "the name of a database, or its number, that is this node's alone",
                        "leave 'server' out for the node's own")),
        reader.text(EngineServerSettings.USER, "a name"),
        reader.directory(EngineServerSettings.PASSWORD_FILE, "no password"),
        isEncrypted,
        reader.directory(EngineServerSettings.CERTIFICATES, "those that Java trusts"));
  }

  private static OptionalInt port(Matcher parts) {
    return parts.group(3) == null
        ? OptionalInt.empty()
        : OptionalInt.of(Integer.parseInt(parts.group(3)));
  }
}
