/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.host.refuse.HostException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConfigTest {
  private static NodeConfig parse(String yaml) {
    return NodeConfig.parse(
        new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "kasane.yaml");
  }

  @Test
  void everySettingIsRead() {
    NodeConfig config =
        parse(
            "fast_directories: [/fast/a, /fast/b]\nfast_quota: 20MiB\nheat_directory: /heat\n"
                + "heat_memory: 5MiB\nkey_lists_directory: /lists\nshow_keys: true\n"
                + "kinds: {hdd: 5, ssd: 0.5}\n");
    assertThat(config.fastDirectories()).containsExactly(Path.of("/fast/a"), Path.of("/fast/b"));
    assertThat(config.fastQuotaBytes()).hasValue(20 << 20);
    assertThat(config.heatDirectory()).contains(Path.of("/heat"));
    assertThat(config.heatMemoryBytes()).hasValue(5 << 20);
    assertThat(config.keyListsDirectory()).contains(Path.of("/lists"));
    assertThat(config.showKeys()).isTrue();
    assertThat(config.kinds()).containsEntry("hdd", 5.0).containsEntry("ssd", 0.5);
  }

  @Test
  void aQuotaMayBeLargerThanCassandraWritesSizes() {
    assertThat(parse("fast_quota: 2TiB").fastQuotaBytes()).hasValue(2L << 40);
  }

  @Test
  void anEmptyFileSaysNothing() {
    assertThat(parse("")).isEqualTo(NodeConfig.empty());
    assertThat(parse("fast_quota: 0").fastQuotaBytes()).hasValue(0);
  }

  /** Nothing that was acknowledged is lost in a power failure, unless somebody asked for that. */
  @Test
  void enginesSyncUnlessToldNotTo() {
    assertThat(engine("{}").sync()).isTrue();
    assertThat(engine("{memory: 20MiB}").sync()).isTrue();
    assertThat(engine("{durability: sync}").sync()).isTrue();
    assertThat(engine("{durability: none}").sync()).isFalse();
    assertThatThrownBy(() -> engine("{durability: off}"))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("durability is")
        .hasMessageContaining("leave it out for sync");
  }

  @Test
  void anEngineMayBeOnAServer() {
    assertThat(engine("{}").server()).isEmpty();
    EngineServerSettings all =
        engine(
                "{server: {address: 'db1:3307', database: n1, user: kasane, password_file: /p,"
                    + " certificates: /ca.pem}}")
            .server()
            .orElseThrow();
    assertThat(all)
        .isEqualTo(
            new EngineServerSettings(
                "db1",
                OptionalInt.of(3307),
                "n1",
                Optional.of("kasane"),
                Optional.of(Path.of("/p")),
                true,
                Optional.of(Path.of("/ca.pem"))));
    EngineServerSettings few =
        engine("{server: {address: '[::1]', database: 0}}").server().orElseThrow();
    assertThat(few.host()).isEqualTo("::1");
    assertThat(few.port()).isEmpty();
    assertThat(few.database()).isEqualTo("0");
    assertThat(few.isEncrypted()).as("nobody listens there").isFalse();
    assertThat(engine("{server: {address: db1, database: 0, tls: false}}").server().orElseThrow())
        .matches(server -> !server.isEncrypted());
  }

  private static EngineSettings engine(String settings) {
    return parse("engines: {lmdb: " + settings + "}").engines().get("lmdb");
  }

  @ParameterizedTest
  @CsvSource({
    "'fast_quotas: 1GiB', fast_quotas, 'known ones are'",
    "'fast_quota: lots', lots, 'such as 512MiB'",
    "'fast_quota: -1TiB', -1TiB, 'at least 0'",
    "'fast_quota: 9999999TiB', 9999999TiB, 'must be a size'",
    "'fast_quota: -1MiB', -1MiB, 'at least 0'",
    "'fast_quota: 1\nfast_quota: 2', line 2, 'duplicate'",
    "'fast_quota: !!int x', kasane.yaml, 'not valid YAML'",
    "'fast_quota: [1]', 'fast_quota is a list', 'at least 0'",
    "'heat_memory: 0', heat_memory is '0', 'at least 1MiB'",
    "'heat_memory: 0', heat_memory is '0', 'a thirty-second of the memory'",
    "'engines: {lmdb: {memory: 0}}', memory is '0', 'an eighth of the heap'",
    "'engines: {innodb: {server: db1}}', server is 'db1', 'a map of'",
    "'engines: {innodb: {server: {database: a}}}', address is '', 'a host and a port'",
    "'engines: {innodb: {server: {address: a b, database: a}}}', address is 'a b', 'a host'",
    "'engines: {innodb: {server: {address: a:0, database: a}}}', address is 'a:0', 'a host'",
    "'engines: {innodb: {server: {address: a:65536, database: a}}}', 65536, 'a host'",
    "'engines: {innodb: {server: {address: a}}}', database is, 'alone'",
    "'engines: {innodb: {server: {address: a, database: a, tls: 1}}}', tls is '1', 'true or false'",
    "'engines: {innodb: {server: {address: a, database: a, password_file: p}}}', password_file is 'p', 'an absolute path'",
    "'engines: {innodb: {server: {address: a, database: a, password: p}}}', unknown setting, 'known ones are'",
    "'kinds: 5', kinds is '5', 'a map of racks'",
    "'kinds: {hdd: 100}', kinds.hdd is '100', 'below 100'",
    "'kinds: {hdd: much}', kinds.hdd is 'much', 'at least 0'",
    "'kinds: {hdd: .nan}', kinds.hdd is 'NaN', 'at least 0'",
    "'key_lists_directory: lists', lists, 'an absolute path'",
    "'key_lists_directory: \"/a\\0b\"', 'a\\u0000b', 'an absolute path'",
    "'show_keys: 1', show_keys is '1', 'true or false'",
    "'fast_directories: /fast', /fast, 'list of paths'",
    "'fast_directories: [fast]', fast, 'absolute'",
    "'- a', kasane.yaml, 'map of settings'",
    "'a: [', kasane.yaml, 'not valid YAML'"
  })
  void badSettingsAreRefused(String yaml, String seen, String bound) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(HostException.class)
        .hasMessageContaining(seen)
        .hasMessageContaining(bound);
  }

  @Test
  void aSmallTextCannotBecomeALargeOne() {
    StringBuilder laughs = new StringBuilder("a: &a [x, x]\n");
    for (char c = 'b'; c < 'n'; c++) {
      String before = "*" + (char) (c - 1);
      laughs.append(c + ": &" + c + " [" + before + ", " + before + ", " + before + "]\n");
    }
    assertThatThrownBy(() -> parse(laughs + "fast_directories: *m\n"))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("without aliases");
    assertThatThrownBy(() -> parse("# " + "x".repeat(70_000)))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("at most that many");
  }
}
