/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.random.RandomGenerator;

/** {@link FollowerList} with plain tables. */
final class FollowerListBatches implements Contest {
  private final PlainCql cql;
  private final PreparedStatement follow;
  private final PreparedStatement isFollowed;
  private final PreparedStatement unfollow;
  private final PreparedStatement isUnfollowed;
  private final PreparedStatement following;
  private final PreparedStatement followers;

  FollowerListBatches(CqlSession session) {
    cql = new PlainCql(session);
    cql.table("plain_following", "who int, whom int, PRIMARY KEY (who, whom)");
    cql.table("plain_followers", "whom int, who int, PRIMARY KEY (whom, who)");
    follow = cql.prepare("INSERT INTO %s.plain_following (who, whom) VALUES (?, ?)");
    isFollowed = cql.prepare("INSERT INTO %s.plain_followers (whom, who) VALUES (?, ?)");
    unfollow = cql.prepare("DELETE FROM %s.plain_following WHERE who = ? AND whom = ?");
    isUnfollowed = cql.prepare("DELETE FROM %s.plain_followers WHERE whom = ? AND who = ?");
    following = cql.prepare("SELECT whom FROM %s.plain_following WHERE who = ?");
    followers = cql.prepare("SELECT who FROM %s.plain_followers WHERE whom = ?");
  }

  @Override
  public void write(int writer, RandomGenerator random) {
    int who = random.nextInt(FollowerList.USERS);
    int whom = random.nextInt(FollowerList.USERS);
    if (random.nextBoolean()) {
      cql.batch(follow.bind(who, whom), isFollowed.bind(whom, who));
    } else {
      cql.batch(unfollow.bind(who, whom), isUnfollowed.bind(whom, who));
    }
  }

  @Override
  public boolean readsWhole(RandomGenerator random) {
    int who = random.nextInt(FollowerList.USERS);
    int whom = random.nextInt(FollowerList.USERS);
    var rows = cql.select(following.bind(who), followers.bind(whom));
    return rows.get(0).stream().anyMatch(row -> row.getInt("whom") == whom)
        == rows.get(1).stream().anyMatch(row -> row.getInt("who") == who);
  }
}
