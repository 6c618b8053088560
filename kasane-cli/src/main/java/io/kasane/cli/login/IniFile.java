/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.login;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sections of settings as Python's {@code RawConfigParser} reads them, which cqlsh uses: a password
 * may have any character, so neither '#' nor ';' nor '$' means anything within a value. A setting
 * may go on in lines that are indented.
 */
final class IniFile {
  private static final Pattern SECTION = Pattern.compile("\\[([^]]+)]\\s*");
  private static final Pattern SETTING = Pattern.compile("([^\\s:=][^:=]*?)\\s*[:=]\\s*(.*)");

  private final Map<String, String> values = new HashMap<>();

  private IniFile() {}

  /** Of a file that need not be there. */
  static IniFile empty() {
    return new IniFile();
  }

  /** Reads a file. */
  static IniFile read(Path file) {
    try {
      return parse(Files.readAllLines(file), file.toString());
    } catch (IOException e) {
      throw new NodeException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads lines.
   *
   * @param source for messages
   */
  static IniFile parse(List<String> lines, String source) {
    IniFile file = new IniFile();
    String section = null;
    String key = null;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
        continue;
      }
      Matcher heading = SECTION.matcher(text);
      Matcher setting = SETTING.matcher(text);
      if (Character.isWhitespace(line.charAt(0)) && key != null) {
        file.values.merge(key, text, (before, more) -> before + "\n" + more);
      } else if (heading.matches()) {
        section = heading.group(1);
        key = null;
      } else if (section != null && setting.matches()) {
        key = key(section, setting.group(1));
        file.values.put(key, setting.group(2).strip());
      } else {
        // What the line says is not shown: it may be a password.
        throw new NodeException(
            source
                + ": line "
                + (i + 1)
                + " is neither a [section] nor a 'name = value' below one; correct it");
      }
    }
    return file;
  }

  /** Returns a setting that is there and not empty. Names are the same in capitals. */
  Optional<String> get(String section, String name) {
    return Optional.ofNullable(values.get(key(section, name))).filter(value -> !value.isEmpty());
  }

  private static String key(String section, String name) {
    return section + '\n' + name.toLowerCase(Locale.ROOT);
  }
}
