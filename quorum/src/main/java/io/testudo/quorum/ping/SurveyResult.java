package io.testudo.quorum.ping;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.ServerId;

/** What a survey found out, by server index. */
public record SurveyResult(ImmutableList<ServerView> servers) {
  public ServerView of(ServerId server) {
    return servers.get(server.index());
  }
}
