/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between the pages of this repository lead somewhere. */
class LinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("^[a-z]+:.*");
  private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      LINK.matcher(Files.readString(page))
          .results()
          .map(link -> link.group(1))
          .filter(link -> !ELSEWHERE.matcher(link).matches())
          .filter(link -> !leads(page, link))
          .forEach(link -> broken.add(ROOT.relativize(page) + ": " + link));
    }
    assertThat(broken).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 4)) {
      List<Path> pages =
          files
              .filter(file -> file.toString().endsWith(".md"))
              .filter(file -> !file.toString().contains("/target/"))
              .toList();
      assertThat(pages).contains(ROOT.resolve("README.md")).hasSizeGreaterThan(30);
      return pages;
    }
  }

  private static boolean leads(Path page, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    return Files.exists(target)
        && (hash < 0
            || !target.toString().endsWith(".md")
            || anchors(target).contains(link.substring(hash + 1)));
  }

  private static List<String> anchors(Path page) {
    try {
      String text = Files.readString(page);
      Stream<String> headings =
          text.lines().filter(line -> line.startsWith("#")).map(LinksTest::anchor);
      Stream<String> named = ANCHOR.matcher(text).results().map(MatchResult::group);
      return Stream.concat(headings, named.map(LinksTest::nameOf)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String nameOf(String anchor) {
    return anchor.substring(anchor.indexOf('"') + 1, anchor.lastIndexOf('"'));
  }

  /** As GitHub makes it of a heading. */
  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+", "")
        .strip()
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
        .replace(' ', '-');
  }
}
