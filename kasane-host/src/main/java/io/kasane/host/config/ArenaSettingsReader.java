/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads which tables have arenas. */
final class ArenaSettingsReader {
  private static final Set<String> KNOWN =
      new TreeSet<>(
          Set.of(
              ArenaSettings.DIRECTORY,
              ArenaSettings.GROUP,
              ArenaSettings.SLOT,
              ArenaSettings.SERVER,
              ArenaSettings.TABLES));
  private static final Pattern TABLE = Pattern.compile("\\w{1,48}\\.\\w{1,48}");
  private static final Pattern ADDRESS = Pattern.compile("([\\w.:\\-\\[\\]]+):([1-9]\\d{0,4})");
  private static final int MAX_PORT = 0xFFFF;
  private static final int DEFAULT_SLOT_BYTES = 2 << 10;
  private static final int MIN_SLOT_BYTES = 128;
  private static final int MAX_SLOT_BYTES = 1 << 20;
  private static final int ALIGNMENT = 64;
  private static final long MIN_FILE_BYTES = 1 << 20;

  private ArenaSettingsReader() {}

  static Optional<ArenaSettings> read(SettingsReader node) {
    Object value = node.get(NodeConfig.ARENAS);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof Map<?, ?> settings)) {
      throw node.bad(NodeConfig.ARENAS, value, "a map of " + KNOWN, "leave it out for none");
    }
    SettingsReader reader = new SettingsReader(settings, node.source() + ": " + NodeConfig.ARENAS);
    reader.requireKnown(KNOWN);
    Path directory =
        reader
            .directory(ArenaSettings.DIRECTORY, "no arenas, with 'arenas'")
            .orElseThrow(
                () ->
                    reader.bad(
                        ArenaSettings.DIRECTORY,
                        null,
                        "an absolute path on a file system in memory, such as /dev/shm/kasane",
                        "leave 'arenas' out for none"));
    return Optional.of(
        new ArenaSettings(
            directory,
            reader.text(ArenaSettings.GROUP, "the name of a group"),
            slotBytes(reader),
            server(reader),
            tables(reader)));
  }

  private static int slotBytes(SettingsReader reader) {
    String otherwise = DEFAULT_SLOT_BYTES + "B";
    long bytes = reader.size(ArenaSettings.SLOT, 1, otherwise).orElse(DEFAULT_SLOT_BYTES);
    if (bytes < MIN_SLOT_BYTES || bytes > MAX_SLOT_BYTES || bytes % ALIGNMENT != 0) {
      throw reader.bad(
          ArenaSettings.SLOT,
          reader.get(ArenaSettings.SLOT),
          "a multiple of " + ALIGNMENT + " bytes from 128B to 1MiB, such as 2KiB",
          "leave it out for " + otherwise);
    }
    return (int) bytes;
  }

  private static Optional<ArenaSettings.Server> server(SettingsReader reader) {
    String bound = "HOST:PORT of the process beside this node, such as 10.0.0.1:7654";
    Optional<String> text = reader.text(ArenaSettings.SERVER, bound);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher address = ADDRESS.matcher(text.get());
    if (address.matches() && Integer.parseInt(address.group(2)) <= MAX_PORT) {
      return Optional.of(
          new ArenaSettings.Server(address.group(1), Integer.parseInt(address.group(2))));
    }
    throw reader.bad(ArenaSettings.SERVER, text.get(), bound, "leave it out for none");
  }

  private static Map<String, Long> tables(SettingsReader reader) {
    Object value = reader.get(ArenaSettings.TABLES);
    String bound =
        "a map of tables and how much memory each may take, such as {shop.carts: 256MiB}";
    if (!(value instanceof Map<?, ?> tables)) {
      throw reader.bad(ArenaSettings.TABLES, value, bound, "leave 'arenas' out for none");
    }
    SettingsReader sizes = new SettingsReader(tables, reader.source() + "." + ArenaSettings.TABLES);
    Map<String, Long> bytes = new LinkedHashMap<>();
    for (Object name : tables.keySet()) {
      if (!(name instanceof String table) || !TABLE.matcher(table).matches()) {
        throw reader.bad(ArenaSettings.TABLES, name, bound, "remove it");
      }
      bytes.put(table, sizes.size(table, MIN_FILE_BYTES, "no arena").orElseThrow());
    }
    return bytes;
  }
}
