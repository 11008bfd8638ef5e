package io.testudo.mutex.sim;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.Ceilings;
import io.testudo.mutex.backoff.TakeCeilings;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an operator does to let a server of the backoff mutex in again that has lost its disk. */
public final class BackoffReadmission {
  private BackoffReadmission() {}

  /** Whether it grants locks again, or will as soon as old leases are over. */
  public static boolean isOver(BackoffServer server) {
    return server.ceilings(0).known();
  }

  /**
   * What it is told: what enough of the others vouch for. Those that are not correct vouch for
   * nothing.
   *
   * @param correct servers, the one that is told it among them
   */
  public static Optional<Message> word(
      ServerId server, Map<ServerId, BackoffServer> correct, Thresholds thresholds) {
    BackoffServer returned = correct.get(server);
    if (returned == null || isOver(returned)) {
      return Optional.empty();
    }
    List<Ceilings> answers = new ArrayList<>();
    correct.values().forEach(one -> answers.add(one.ceilings(0)));
    while (answers.size() < thresholds.servers()) {
      answers.add(new Ceilings(0, true, new Ceilings.Ranks(0, ImmutableMap.of())));
    }
    return Ceilings.vouched(answers, thresholds).map(ranks -> new TakeCeilings(1, ranks));
  }
}
