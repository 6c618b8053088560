/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SessionTest extends ProtocolFixture {
  @Test
  void aSessionReadsItsOwnWrites() {
    Timestamp written = put(A);
    store.show(Strength.FIRST_ROUND, A, new Answer.Absent());

    assertThat(get(A).versions().get(A).timestamp()).isEqualTo(written);
    assertThat(done(client.get(ReadSet.of(Set.of(A)), client.newSession())).versions()).isEmpty();
  }

  @Test
  void noKeyGoesBack() {
    Version old = commit(at(-9), Mode.FAST, A);
    Version seen = commit(at(-5), Mode.FAST, A);
    get(A);
    store.show(Strength.FIRST_ROUND, A, new Answer.Present(old));
    assertThat(get(A).versions()).containsEntry(A, seen);

    use(RampOptions.defaults(), Rule.FLOORS);
    get(A);
    assertThat(get(A).versions()).containsEntry(A, old);
    assertThat(session.floors().entries()).isEmpty();
  }

  @Test
  void whatAFloorBringsDemandsItsSiblings() {
    Version both = commit(at(-5), Mode.FAST, A, B);
    get(A);
    store.show(Strength.FIRST_ROUND, A, new Answer.Absent());
    store.show(Strength.FIRST_ROUND, B, new Answer.Absent());

    assertThat(get(A, B).versions()).containsEntry(A, both).containsEntry(B, both);
  }

  @Test
  void itemsOfACollectionDoNotVanish() {
    ItemKey one = item("l", "1");
    Timestamp written = put(one);
    store.show(Strength.FIRST_ROUND, one, new Answer.Absent());

    ReadSet list = ReadSet.of(CollectionKey.of(one));
    assertThat(done(client.get(list, session)).versions().get(one).timestamp()).isEqualTo(written);
  }

  @Test
  void aTokenMakesATwin() {
    Timestamp written = put(A, item("l", "1"));
    commit(at(-9), Mode.FAST, B);
    get(B);
    SessionToken token = SessionToken.parse(session.token().toString());
    assertThat(token.toString()).matches("[A-Za-z0-9_-]+");
    assertThat(token.floors()).isEqualTo(session.floors().entries()).hasSize(3);

    client = client(RampOptions.defaults());
    session = client.newSession(token);
    store.show(Strength.FIRST_ROUND, A, new Answer.Absent());
    assertThat(get(A).versions().get(A).timestamp()).isEqualTo(written);
    assertThat(put(C).isAfter(written)).isTrue();
  }

  @Test
  void whatIsNoTokenIsRefused() {
    put(A);
    byte[] bytes = session.token().toBytes().toArray();
    for (int index = 0; index < bytes.length; index++) {
      byte[] changed = bytes.clone();
      changed[index] ^= 1;
      assertThatThrownBy(() -> SessionToken.of(Bytes.copyOf(changed)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("begin a new session");
    }
    for (String text : new String[] {"", "AAAA", "!", "AAAAAAAA"}) {
      assertThatThrownBy(() -> SessionToken.parse(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> SessionToken.parse(forged("02000000000000000000")))
        .hasMessageContaining("format is 2");
    assertThatThrownBy(() -> SessionToken.parse(forged("01007fffffff7fffffff")))
        .hasMessageContaining("2147483647 bytes where 0 are left");
  }

  @Test
  void aFullSessionForgetsWhatAQuorumShows() {
    use(RampOptions.defaults().withMaxFloors(2));
    put(A);
    put(B);
    get(A);
    assertThat(store.calls).contains("read FIRST_ROUND a");
    put(C);
    assertThat(session.floors().entries()).extracting(Floors.Entry::key).containsExactly(A, C);
    assertThat(session.token().overflowed()).isTrue();
    store.calls.clear();
    get(B);

    assertThat(store.calls).containsExactly("read QUORUM b");
    assertThat(client.newSession(session.token()).floors().overflowed()).isTrue();
  }

  @Test
  void whatWasOnlySeenIsCompletedBeforeItIsForgotten() {
    use(RampOptions.defaults().withMaxFloors(1));
    commit(at(-9), Mode.FAST, A);
    commit(at(-9), Mode.FAST, B);
    get(A);
    store.holds = call -> call.startsWith("commit");
    get(B);
    assertThat(session.floors().leaving()).containsOnlyKeys(A);
    assertThat(store.held).extracting(MemoryStore.Held::name).containsExactly("commit a");
    store.release();

    assertThat(session.floors().leaving()).isEmpty();
    assertThat(client.statistics().floorsSettled()).isEqualTo(1);
  }

  @Test
  void aSessionWithoutRoomWaitsOrIsRefused() {
    use(RampOptions.defaults().withMaxFloors(1));
    commit(at(-9), Mode.FAST, A);
    commit(at(-9), Mode.FAST, B);
    store.refuses = call -> call.startsWith("commit");
    get(A, B);

    assertThat(failure(UnavailableException.class, client.get(ReadSet.of(Set.of(C)), session)))
        .hasMessageContaining("maxFloors");
    store.refuses = call -> false;
    get(C);
    assertThat(session.floors().leaving()).isEmpty();
  }

  @Test
  void aSessionWithoutRoomNamesWhatWasLost() {
    use(RampOptions.defaults().withMaxFloors(1));
    Timestamp lost = commit(at(-9), Mode.FAST, A).timestamp();
    commit(at(-9), Mode.FAST, B);
    store.refuses = call -> call.startsWith("commit");
    get(A, B);
    store.refuses = call -> false;
    store.committed.remove(A);
    store.versions(A).clear();

    LostVersionException failure =
        failure(LostVersionException.class, client.get(ReadSet.of(Set.of(C)), session));
    assertThat(failure.timestamp()).isEqualTo(lost);
    commit(at(-8), Mode.FAST, A);
    get(C);
    assertThat(session.floors().leaving()).isEmpty();
  }

  private static String forged(String hexadecimal) {
    byte[] body = HexFormat.of().parseHex(hexadecimal);
    CRC32C crc = new CRC32C();
    crc.update(body);
    byte[] all =
        ByteBuffer.allocate(body.length + 4).put(body).putInt((int) crc.getValue()).array();
    return Base64.getUrlEncoder().encodeToString(all);
  }
}
