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

/** What the page shows is compiled. */
class FirstProgramPageTest {
  private static final Path PROGRAM = Path.of("src/main/java/io/kasane/examples/FirstProgram.java");
  private static final Path UNIT_TEST =
      Path.of("src/test/java/io/kasane/examples/UnitTestWithoutCassandraTest.java");
  private static final Path PAGE = Path.of("../docs/develop/first-program.md");

  private static final Pattern BODY =
      Pattern.compile("void main\\(String\\[] args\\) \\{\n(.*)\n  }\n}\n", Pattern.DOTALL);
  private static final Pattern TEST_METHOD =
      Pattern.compile("(  @Test\n.*\n  })\n}\n", Pattern.DOTALL);
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)\n```", Pattern.DOTALL);

  @Test
  void thePageShowsTheBodyOfMainAndTheUnitTest() throws IOException {
    List<String> blocks =
        BLOCK.matcher(Files.readString(PAGE)).results().map(block -> block.group(1)).toList();
    assertThat(blocks).containsExactly(part(BODY, PROGRAM, 4), part(TEST_METHOD, UNIT_TEST, 2));
  }

  @Test
  void itIsShort() throws IOException {
    assertThat(part(BODY, PROGRAM, 4).lines().filter(line -> !line.isBlank()))
        .hasSizeLessThanOrEqualTo(22);
  }

  /**
   * What is in the source.
   *
   * @param indent the blanks that stand before each line there
   */
  private static String part(Pattern part, Path file, int indent) throws IOException {
    Matcher matcher = part.matcher(Files.readString(file));
    assertThat(matcher.find()).as("%s has %s", file, part).isTrue();
    return matcher.group(1).replaceAll("(?m)^ {" + indent + "}", "");
  }
}
