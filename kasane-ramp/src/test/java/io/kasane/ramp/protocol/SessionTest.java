/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SessionTest extends ProtocolFixture {
  private static final TokenKey KEY = TokenKey.of("a secret of the servers".getBytes(UTF_8));

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
    Timestamp seen = commit(at(-9), Mode.FAST, B).timestamp();
    get(B);
    SessionToken token = SessionToken.parse(session.token().toString());
    assertThat(token.toString()).matches("[A-Za-z0-9_-]+");
    assertThat(token.floors()).containsExactly(new Floors.Entry(B, seen, false));
    assertThat(token.overflowed()).isTrue();

    client = client(RampOptions.defaults());
    session = client.newSession(token);
    store.show(Strength.FIRST_ROUND, A, new Answer.Absent());
    store.show(Strength.FIRST_ROUND, B, new Answer.Absent());
    assertThat(get(A).versions().get(A).timestamp()).isEqualTo(written);
    assertThat(get(B).versions().get(B).timestamp()).isEqualTo(seen);
    assertThat(put(A).isAfter(written)).isTrue();
  }

  @Test
  void aTokenIsShortWhereFirstRoundsAskQuorums() {
    store.quorums = strength -> true;
    use(RampOptions.defaults());
    for (int number = 0; number < 100; number++) {
      ItemKey key = key("key " + number);
      commit(at(-9), Mode.FAST, key);
      get(key);
      put(key);
    }

    assertThat(session.floors().entries()).hasSize(100);
    assertThat(session.token().toString()).hasSize(14);
    assertThat(session.token().toString(Optional.of(KEY))).hasSize(30);
  }

  @Test
  void whatATokenSaysMovesNobodysClock() {
    commit(at(-9), Mode.FAST, A);
    Session forged =
        client.newSession(SessionToken.of(List.of(new Floors.Entry(A, at(29), false)), false));

    assertThat(failure(NotCommittedException.class, client.put(values(A), forged)))
        .hasCauseInstanceOf(LostVersionException.class);
    assertThat(store.calls).noneMatch(call -> call.startsWith("prepare"));
    assertThat(put(A).micros()).isLessThan(at(1).micros());
    assertThat(done(client.put(values(B), forged)).micros()).isLessThan(at(1).micros());
  }

  @Test
  void whatATokenSaysIsBelievedOnceItIsRead() {
    Timestamp ahead = half(at(20), Mode.FAST, A, B).timestamp();
    Session twin =
        client.newSession(SessionToken.of(List.of(new Floors.Entry(B, ahead, false)), false));

    assertThat(done(client.put(values(B), twin)).isAfter(ahead)).isTrue();
  }

  @Test
  void aSignedTokenIsKnownByItsKey() {
    put(A);
    Optional<TokenKey> key = Optional.of(KEY);
    Optional<TokenKey> other = Optional.of(TokenKey.of("another secret of theirs".getBytes(UTF_8)));
    String signed = session.token().toString(key);

    assertThat(SessionToken.parse(signed, key).overflowed()).isTrue();
    for (Optional<TokenKey> wrong : List.of(other, Optional.<TokenKey>empty())) {
      assertThatThrownBy(() -> SessionToken.parse(signed, wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("begin a new session");
    }
    assertThatThrownBy(() -> SessionToken.parse(session.token().toString(), key))
        .hasMessageContaining("signature is wrong");
    assertThatThrownBy(() -> TokenKey.of(new byte[15]))
        .hasMessageContaining("15 bytes")
        .hasMessageContaining("least is 16");
    assertThat(KEY.toString()).doesNotContain("secret");
  }

  @Test
  void whatIsNoTokenIsRefused() {
    commit(at(-9), Mode.FAST, A);
    get(A);
    for (Optional<TokenKey> key : List.of(Optional.<TokenKey>empty(), Optional.of(KEY))) {
      byte[] bytes = Base64.getUrlDecoder().decode(session.token().toString(key));
      for (int index = 0; index < bytes.length; index++) {
        byte[] changed = bytes.clone();
        changed[index] ^= 1;
        String text = Base64.getUrlEncoder().encodeToString(changed);
        assertThatThrownBy(() -> SessionToken.parse(text, key))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("begin a new session");
      }
    }
    for (String text : new String[] {"", "AAAA", "!", "AAAAAAAA"}) {
      assertThatThrownBy(() -> SessionToken.parse(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> SessionToken.parse(forged("01000000000000000000")))
        .hasMessageContaining("format is 1");
    assertThatThrownBy(() -> SessionToken.parse(forged("020200000000")))
        .hasMessageContaining("flags are 2");
    assertThatThrownBy(() -> SessionToken.parse(forged("02007fffffff7fffffff")))
        .hasMessageContaining("2147483647 bytes where 0 are left");
  }

  @Test
  void aReadOfManyItemsWritesNothing() {
    store.quorums = strength -> true;
    use(RampOptions.defaults().withMaxFloors(10));
    List<ItemKey> items = new ArrayList<>();
    for (int number = 0; number < 1_000; number++) {
      items.add(item("l", "item " + number));
      commit(at(-9), Mode.FAST, items.get(number));
    }
    for (int times = 0; times < 2; times++) {
      assertThat(done(client.get(ReadSet.of(CollectionKey.of(items.get(0))), session)).versions())
          .hasSize(1_000);
    }

    assertThat(store.calls).containsExactly("collection FIRST_ROUND l", "collection QUORUM l");
  }

  @Test
  void whatWasTakenBeforeItWasCommittedIsRememberedUntilAQuorumShowsIt() {
    store.quorums = strength -> true;
    use(RampOptions.defaults());
    Timestamp half = half(at(-5), Mode.FAST, A, B).timestamp();
    store.refuses = call -> call.equals("commit b");
    get(A, B);
    assertThat(session.token().floors()).containsExactly(new Floors.Entry(B, half, false));
    assertThat(get(B).versions().get(B).timestamp()).isEqualTo(half);
    store.refuses = call -> false;
    store.doCommit(new Write(B, store.versions(B).get(half)));
    get(B);

    assertThat(session.token().floors()).isEmpty();
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
    store.quorums = strength -> false;
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
