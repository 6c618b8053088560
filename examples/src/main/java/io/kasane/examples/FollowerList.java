/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.version.Bytes;
import java.util.random.RandomGenerator;

/**
 * Who follows whom, in both directions: two collections that must agree. Items are added and
 * removed without reading, and nobody's addition is lost.
 */
public final class FollowerList extends Example {
  static final int USERS = 8;

  /** Runs it. */
  public static void main(String[] args) {
    run(new FollowerList(), args);
  }

  @Override
  String what() {
    return "Users follow and unfollow each other; readers look at both ends of it.";
  }

  @Override
  Contest transactions(RampSession session) {
    return new Lists(session);
  }

  @Override
  Contest batches(CqlSession cql) {
    return new FollowerListBatches(cql);
  }

  private static final class Lists implements Contest {
    private final RampSession session;
    private final RampCollection<Integer, Integer, Bytes> following;
    private final RampCollection<Integer, Integer, Bytes> followers;

    Lists(RampSession session) {
      this.session = session;
      this.following =
          session.collection("following", Codecs.int32(), Codecs.int32(), Codecs.blob());
      this.followers =
          session.collection("followers", Codecs.int32(), Codecs.int32(), Codecs.blob());
    }

    private void follow(int who, int whom) {
      session
          .write()
          .put(following, who, whom, Bytes.EMPTY)
          .put(followers, whom, who, Bytes.EMPTY)
          .commit();
    }

    private void unfollow(int who, int whom) {
      session.write().delete(following, who, whom).delete(followers, whom, who).commit();
    }

    @Override
    public void write(int writer, RandomGenerator random) {
      int who = random.nextInt(USERS);
      int whom = random.nextInt(USERS);
      if (random.nextBoolean()) {
        follow(who, whom);
      } else {
        unfollow(who, whom);
      }
    }

    @Override
    public boolean readsWhole(RandomGenerator random) {
      int who = random.nextInt(USERS);
      int whom = random.nextInt(USERS);
      RampRows seen = session.read().items(following, who).items(followers, whom).run();
      return seen.items(following, who).containsKey(whom)
          == seen.items(followers, whom).containsKey(who);
    }
  }
}
