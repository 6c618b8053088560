/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.NodeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * {@code data_file_directories} in the text of a {@code cassandra.yaml}, of which all else stays as
 * it is: comments, order, ways of writing. What comes out is read as YAML again, and must differ
 * from what went in by the one directory alone.
 */
final class DataDirectories {
  static final String SETTING = "data_file_directories";

  private static final Pattern BLOCK = Pattern.compile("(?m)^" + SETTING + ":[ \\t]*(#.*)?$");
  private static final Pattern FLOW =
      Pattern.compile("(?m)^" + SETTING + ":[ \\t]*\\[([^\\]\\n]*)\\][ \\t]*(#.*)?$");
  private static final Pattern ITEM = Pattern.compile("([ \\t]*)-[ \\t]+(\\S.*?)[ \\t]*");

  private final String text;
  private final String source;

  /**
   * @param text of the file
   * @param source its name, for messages
   */
  DataDirectories(String text, String source) {
    this.text = text;
    this.source = source;
  }

  /** Returns them; empty if the file does not name any. */
  List<String> listed() {
    Object listed = parse(text).get(SETTING);
    if (listed == null) {
      return List.of();
    }
    if (listed instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    throw new NodeException(source + ": " + SETTING + " is no list of directories; correct it");
  }

  /**
   * Returns the text with a directory at the end.
   *
   * @param usual what to list before it where the file does not name any
   */
  String with(Path directory, Optional<Path> usual) {
    List<String> wanted = new ArrayList<>(listed());
    if (wanted.contains(directory.toString())) {
      return text;
    }
    boolean isNamed = !wanted.isEmpty();
    if (!isNamed) {
      wanted.add(usual.orElseThrow(() -> unknown(directory)).toString());
    }
    wanted.add(directory.toString());
    String edited =
        isNamed ? added(directory) : appended(usual.orElseThrow().toString(), directory.toString());
    return checked(edited, wanted);
  }

  /** Returns the text without a directory, and without the list if that came with it. */
  String without(Path directory) {
    List<String> wanted = new ArrayList<>(listed());
    if (!wanted.remove(directory.toString())) {
      return text;
    }
    if (wanted.size() == 1) {
      String block = block(wanted.get(0), directory.toString());
      if (text.endsWith(block)) {
        return checked(text.substring(0, text.length() - block.length()), List.of());
      }
    }
    return checked(removed(directory), wanted);
  }

  private String appended(String usual, String directory) {
    return (text.endsWith("\n") || text.isEmpty() ? text : text + "\n") + block(usual, directory);
  }

  private static String block(String usual, String directory) {
    return "\n# Kasane: the slow disk, then the fast one.\n"
        + SETTING
        + ":\n    - "
        + usual
        + "\n    - "
        + directory
        + "\n";
  }

  private String added(Path directory) {
    Matcher flow = FLOW.matcher(text);
    if (flow.find()) {
      int end = flow.end(1);
      return text.substring(0, end) + ", " + directory + text.substring(end);
    }
    int[] last = lastItem();
    String indent = text.substring(last[0], text.indexOf('-', last[0]));
    String line = indent + "- " + directory;
    String head = text.substring(0, last[1]);
    return head.endsWith("\n")
        ? head + line + "\n" + text.substring(last[1])
        : head + "\n" + line + text.substring(last[1]);
  }

  private String removed(Path directory) {
    Matcher flow = FLOW.matcher(text);
    if (flow.find()) {
      String items = flow.group(1);
      String without =
          items.replaceFirst(",\\s*" + Pattern.quote(directory.toString()) + "\\s*$", "");
      return text.substring(0, flow.start(1)) + without + text.substring(flow.end(1));
    }
    Matcher line =
        Pattern.compile(
                "(?m)^[ \\t]*-[ \\t]+" + Pattern.quote(directory.toString()) + "[ \\t]*\\n?")
            .matcher(text);
    return line.find() ? text.substring(0, line.start()) + text.substring(line.end()) : text;
  }

  /** Begin and end of the line with the last item of the list. */
  private int[] lastItem() {
    Matcher block = BLOCK.matcher(text);
    if (!block.find()) {
      throw unreadable();
    }
    int at = Math.min(text.length(), block.end() + 1);
    int[] last = null;
    while (at < text.length()) {
      int newline = text.indexOf('\n', at);
      int end = newline < 0 ? text.length() : newline + 1;
      String line = text.substring(at, end).stripTrailing();
      if (ITEM.matcher(line).matches()) {
        last = new int[] {at, end};
      } else if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
        break;
      }
      at = end;
    }
    if (last == null) {
      throw unreadable();
    }
    return last;
  }

  private String checked(String edited, List<String> wanted) {
    Map<String, Object> before = new LinkedHashMap<>(parse(text));
    Map<String, Object> after = new LinkedHashMap<>(parse(edited));
    before.remove(SETTING);
    Object listed = after.remove(SETTING);
    if (!before.equals(after) || !wanted.equals(listed == null ? List.of() : listed)) {
      throw unreadable();
    }
    return edited;
  }

  private Map<String, Object> parse(String yaml) {
    try {
      Object root = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
      if (root instanceof Map<?, ?> map) {
        Map<String, Object> settings = new LinkedHashMap<>();
        map.forEach((name, value) -> settings.put(String.valueOf(name), value));
        return settings;
      }
    } catch (YAMLException e) {
      throw new NodeException(source + " is not valid YAML: " + e.getMessage(), e);
    }
    return Map.of();
  }

  private NodeException unreadable() {
    return new NodeException(
        source
            + ": "
            + SETTING
            + " is written in a way that this command does not change. Add or remove the fast"
            + " directory at the end of the list by hand, and run it again");
  }

  private NodeException unknown(Path directory) {
    return new NodeException(
        source
            + " names no "
            + SETTING
            + ", and the usual place has no data: where does this node keep them? Name it with"
            + " --slow. Or write into the file, with that place in the second line:\n"
            + SETTING
            + ":\n    - DIRECTORY_OF_TODAY\n    - "
            + directory);
  }
}
