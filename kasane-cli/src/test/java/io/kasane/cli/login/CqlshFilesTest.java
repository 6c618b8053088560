/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.node.NodeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CqlshFilesTest {
  @TempDir private Path home;

  private Path write(String name, String mode, String... lines) throws Exception {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private CqlshFiles read() {
    return CqlshFiles.read(Optional.empty(), Optional.empty(), home);
  }

  @Test
  void withoutFilesNothingIsSaid() {
    CqlshFiles files = read();
    assertThat(files.host()).isEmpty();
    assertThat(files.port()).isEmpty();
    assertThat(files.username()).isEmpty();
    assertThat(files.tls()).isFalse();
    assertThat(files.validatesTls()).isTrue();
  }

  @Test
  void usualPlacesAreRead() throws Exception {
    write(
        ".cassandra/cqlshrc",
        "rw-r--r--",
        "; a comment",
        "[connection]",
        "hostname: db.example",
        "Port = 9999",
        "ssl = on",
        "[ssl]",
        "certfile = ~/ca.pem",
        "validate = false",
        "[certfiles]",
        "other.example = /certs/other.pem");
    write(
        ".cassandra/credentials",
        "rw-------",
        "[PlainTextAuthProvider]",
        "username = fred",
        "password = !!b#ng; = $1!!");
    CqlshFiles files = read();
    assertThat(files.host()).hasValue("db.example");
    assertThat(files.port()).hasValue(9999);
    assertThat(files.tls()).isTrue();
    assertThat(files.validatesTls()).isFalse();
    assertThat(files.tlsAuthority("db.example", home)).hasValue(home.resolve("ca.pem"));
    assertThat(files.tlsAuthority("other.example", home)).hasValue(Path.of("/certs/other.pem"));
    assertThat(files.username()).hasValue("fred");
    assertThat(files.passwordOf("fred")).hasValue("!!b#ng; = $1!!");
    assertThat(files.passwordOf("wilma")).isEmpty();
  }

  @Test
  void credentialsThatOthersMayReadAreRefused() throws Exception {
    write(".cassandra/credentials", "rw-r-----", "[PlainTextAuthProvider]", "username = fred");
    assertThatThrownBy(this::read)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("others may read")
        .hasMessageContaining("chmod 600");
  }

  @Test
  void credentialsThatAreNamedMustBeThere() throws Exception {
    write(".cassandra/cqlshrc", "rw-------", "[authentication]", "credentials = ~/nowhere");
    assertThatThrownBy(this::read)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("nowhere");
  }

  @Test
  void anotherWayToLogInIsRefusedByName() throws Exception {
    write(".cassandra/cqlshrc", "rw-------", "[auth_provider]", "classname = SaslAuthProvider");
    assertThatThrownBy(this::read)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("SaslAuthProvider");
  }

  @Test
  void aLineThatIsNoSettingIsNamedWithoutItsText() throws Exception {
    write(".cassandra/credentials", "rw-------", "[PlainTextAuthProvider]", "secret!");
    assertThatThrownBy(this::read)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("line 2")
        .hasMessageNotContaining("secret!");
  }

  @Test
  void aPortThatIsNoNumberIsRefused() throws Exception {
    write(".cassandra/cqlshrc", "rw-------", "[connection]", "port = many");
    CqlshFiles files = read();
    assertThatThrownBy(files::port)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("[connection] port is 'many'");
  }

  @Test
  void indentedLinesGoOn() {
    IniFile file = IniFile.parse(List.of("[a]", "b = one", "  two", "c ="), "test");
    assertThat(file.get("a", "B")).hasValue("one\ntwo");
    assertThat(file.get("a", "c")).isEmpty();
    assertThat(file.get("x", "b")).isEmpty();
  }
}
