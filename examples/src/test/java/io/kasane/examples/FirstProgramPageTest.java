/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The program on the page is the one that is compiled. */
class FirstProgramPageTest {
  private static final Path SOURCE = Path.of("src/main/java/io/kasane/examples/FirstProgram.java");
  private static final Path PAGE = Path.of("../docs/develop/first-program.md");

  private static final Pattern BODY =
      Pattern.compile("void main\\(String\\[] args\\) \\{\n(.*)\n  }\n}\n", Pattern.DOTALL);
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)\n```", Pattern.DOTALL);

  @Test
  void thePageShowsTheBodyOfMain() throws IOException {
    List<String> body = lines(BODY, SOURCE).stream().map(FirstProgramPageTest::outdented).toList();
    assertThat(lines(BLOCK, PAGE)).isEqualTo(body);
  }

  @Test
  void itIsShort() throws IOException {
    assertThat(lines(BODY, SOURCE).stream().filter(line -> !line.isBlank()))
        .hasSizeLessThanOrEqualTo(22);
  }

  private static List<String> lines(Pattern part, Path file) throws IOException {
    Matcher matcher = part.matcher(Files.readString(file));
    assertThat(matcher.find()).as("%s has %s", file, part).isTrue();
    return matcher.group(1).lines().toList();
  }

  /** Without the four blanks that the class and the method put before it. */
  private static String outdented(String line) {
    return line.isBlank() ? "" : line.substring(4);
  }
}
