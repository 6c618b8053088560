/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.node.NodeException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataDirectoriesTest {
  private static final Path FAST = Path.of("/mnt/nvme");
  private static final Optional<Path> NONE = Optional.empty();

  private static DataDirectories of(String text) {
    return new DataDirectories(text, "cassandra.yaml");
  }

  /** All but the list stays as it is, and the way back gives the same bytes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster_name: a\n# where\ndata_file_directories:\n    - /hdd\n\n# next\nnum_tokens: 16\n",
        "data_file_directories:\n- /hdd\n- /hdd2\nnum_tokens: 16\n",
        "data_file_directories:   # all of them\n  - /hdd   \n  # - /old\n  - /hdd2\n\n\nnum_tokens: 16",
        "data_file_directories: [/hdd]\n",
        "data_file_directories: [ /hdd, /hdd2 ]  # two\nnum_tokens: 16\n",
        "num_tokens: 16\ndata_file_directories:\n    - /hdd\n",
        "# data_file_directories:\n#     - /var/lib\ndata_file_directories:\n    - /hdd\n",
      })
  void addsOneDirectoryAndTakesItBack(String text) {
    String with = of(text).with(FAST, NONE);
    assertThat(of(with).listed()).startsWith("/hdd").endsWith("/mnt/nvme");
    assertThat(with.replaceFirst("(, |[ ]*- )/mnt/nvme\\n?", "")).isEqualTo(text);
    assertThat(of(with).with(FAST, NONE)).isEqualTo(with);
    assertThat(of(with).without(FAST)).isEqualTo(text);
    assertThat(of(text).without(FAST)).isEqualTo(text);
  }

  @Test
  void whereNoneIsNamedTheUsualOneComesFirst() {
    String text = "# data_file_directories:\n#     - /var/lib/cassandra/data\nnum_tokens: 16\n";
    Optional<Path> usual = Optional.of(Path.of("/opt/cassandra/data/data"));
    String with = of(text).with(FAST, usual);
    assertThat(with).startsWith(text);
    assertThat(of(with).listed()).containsExactly("/opt/cassandra/data/data", "/mnt/nvme");
    assertThat(of(with).without(FAST)).isEqualTo(text);
  }

  @Test
  void whereNobodyKnowsTheDataTheLinesAreToBeWrittenByHand() {
    assertThatThrownBy(() -> of("num_tokens: 16\n").with(FAST, NONE))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("where does this node keep them")
        .hasMessageContaining("- /mnt/nvme");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data_file_directories: [\n  /hdd ]\n",
        "data_file_directories:\n  [ /hdd ]\n",
        "{data_file_directories: [/hdd]}\n",
        "data_file_directories: &a\n  - /hdd\n",
      })
  void whatIsWrittenInAnotherWayIsLeftAlone(String text) {
    assertThatThrownBy(() -> of(text).with(FAST, NONE))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("by hand");
  }

  @Test
  void aListThatIsNoneIsRefused() {
    assertThatThrownBy(() -> of("data_file_directories: /hdd\n").listed())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("no list");
  }

  @Test
  void optionLinesComeAndGo() {
    String text = "# flags\n-ea\n";
    String with = OptionLines.with(text, "jvm-server.options");
    assertThat(with).startsWith(text).contains("\n-Dcassandra.storage_hook=io.kasane");
    assertThat(OptionLines.with(with, "jvm-server.options")).isEqualTo(with);
    assertThat(OptionLines.without(with)).isEqualTo(text);
    assertThat(OptionLines.without(text)).isEqualTo(text);
    String byHand = "-Dcassandra.storage_hook=io.kasane.host.KasaneStorageHook\n" + text;
    assertThat(OptionLines.without(byHand)).isEqualTo(text);
  }

  @Test
  void anothersHookIsNotReplaced() {
    assertThatThrownBy(() -> OptionLines.with("-Dcassandra.storage_hook=com.a.B\n", "options"))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("com.a.B");
  }
}
