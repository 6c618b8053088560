/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionCodecTest {
  private static final Timestamp TIMESTAMP = new Timestamp(7, -2);

  @Provide
  Arbitrary<Version> versions() {
    return Versions.versions();
  }

  @Provide
  Arbitrary<Timestamp> timestamps() {
    return Versions.timestamps();
  }

  @Property(tries = 500)
  void whatIsEncodedIsDecoded(@ForAll("versions") Version version) {
    Bytes bytes = VersionCodec.encode(version);

    assertThat(VersionCodec.decode(bytes)).isEqualTo(version);
    int value = version.value().map(Bytes::length).orElse(0);
    assertThat(bytes.length())
        .isEqualTo(22 + VersionCodec.siblingBytes(version.siblings()) + value);
    assertThat(VersionCodec.encode(VersionCodec.decode(bytes))).isEqualTo(bytes);
  }

  @Property(tries = 500)
  void bytesAreOrderedAsTimestampsAre(
      @ForAll("versions") Version one,
      @ForAll("versions") Version other,
      @ForAll("timestamps") Timestamp first,
      @ForAll("timestamps") Timestamp second) {
    Bytes a = VersionCodec.encode(new Version(first, one.siblings(), one.value()));
    Bytes b = VersionCodec.encode(new Version(second, other.siblings(), other.value()));
    if (!first.equals(second)) {
      assertThat(Integer.signum(a.compareTo(b))).isEqualTo(Integer.signum(first.compareTo(second)));
    }
    assertThat(Integer.signum(first.toBytes().compareTo(second.toBytes())))
        .isEqualTo(Integer.signum(first.compareTo(second)));
    assertThat(Timestamp.read(first.toBytes().toBuffer())).isEqualTo(first);
  }

  @Property(tries = 500)
  void aChangedByteIsNoticed(
      @ForAll("versions") Version version,
      @ForAll @IntRange(min = 1, max = 255) int change,
      @ForAll Random random) {
    byte[] bytes = VersionCodec.encode(version).toArray();
    bytes[random.nextInt(bytes.length)] ^= (byte) change;

    assertThatThrownBy(() -> VersionCodec.decode(Bytes.copyOf(bytes)))
        .isInstanceOf(CorruptVersionException.class);
  }

  @Property(tries = 500)
  void aTornVersionIsNoticed(@ForAll("versions") Version version, @ForAll Random random) {
    ByteBuffer bytes = VersionCodec.encode(version).toBuffer();
    bytes.limit(random.nextInt(bytes.limit()));

    assertThatThrownBy(() -> VersionCodec.decode(bytes))
        .isInstanceOf(CorruptVersionException.class);
  }

  @Property(tries = 2000)
  void hostileBytesWithTheirChecksumGiveAVersionOrAWord(
      @ForAll @IntRange(max = 7) int flags, @ForAll byte[] rest) {
    try {
      VersionCodec.decode(forged(2, flags, rest));
    } catch (CorruptVersionException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,0,'',has format 1",
    "2,3,'',unknown flags 03",
    "2,8,'',unknown flags 08",
    "2,5,'61',followed by 1 bytes",
    "2,0,'',end within a number",
    "2,0,'ffffffff7f',over 2^31 - 1",
    "2,0,'01ffffffff07',say 2147483647 bytes where 0 are left",
    "2,0,'0101ff',no UTF-8",
    "2,2,'0000',no bits",
    "2,2,'4101ff',sets 65 bits"
  })
  void whatIsWrongIsSaid(int format, int flags, String rest, String words) {
    byte[] bytes = HexFormat.of().parseHex(rest);
    assertThatThrownBy(() -> VersionCodec.decode(forged(format, flags, bytes)))
        .isInstanceOf(CorruptVersionException.class)
        .hasMessageContaining(words);
  }

  @Test
  void aTimestampBefore1970IsCorrupt() {
    assertThatThrownBy(() -> Timestamp.read(ByteBuffer.allocate(16).putLong(0, -1)))
        .isInstanceOf(CorruptVersionException.class)
        .hasMessageContaining("1970");
    assertThatThrownBy(() -> Timestamp.read(ByteBuffer.allocate(15)))
        .isInstanceOf(CorruptVersionException.class);
  }

  @Test
  void theFormatStaysAsItIs() {
    Siblings names =
        new SiblingNames(
            Set.of(
                new ItemKey("t", Bytes.utf8("b")),
                new ItemKey("t", Bytes.utf8("a"), Bytes.utf8("i")),
                new ItemKey("s", Bytes.utf8("c"))),
            Set.of(new ItemKey("s", Bytes.utf8("c"))));
    Version version = new Version(TIMESTAMP, names, Optional.of(Bytes.utf8("v")));

    String head = "0000000000000007" + "fffffffffffffffe" + "02" + "00";
    String siblings = "02" + "0173" + "01" + "016301" + "0174" + "02" + "01610269" + "016200";
    assertThat(VersionCodec.encode(version))
        .hasToString("0x" + head + siblings + "76" + "37d0049c");
    assertThat(VersionCodec.siblingBytes(names)).isEqualTo(17);
  }

  private static Bytes forged(int format, int flags, byte[] rest) {
    ByteBuffer bytes = ByteBuffer.allocate(22 + rest.length);
    bytes.putLong(TIMESTAMP.micros()).putLong(TIMESTAMP.client());
    bytes.put((byte) format).put((byte) flags).put(rest);
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().flip());
    return Bytes.copyOf(bytes.putInt((int) crc.getValue()).flip());
  }
}
