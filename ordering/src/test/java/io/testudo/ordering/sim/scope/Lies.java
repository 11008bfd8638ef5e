package io.testudo.ordering.sim.scope;

import static io.testudo.ordering.sim.scope.Clients.OBJECT;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.protocol.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that a liar can say to a client that makes a difference, given all that clients have
 * sent so far: it hears everything. Where statements are sealed it can show any that was made; else
 * any state at any rank, and states that it makes up. It acknowledges whatever is asked. That it
 * refuses, or is silent, is the same as a client that loses patience.
 */
final class Lies {
  private static final long HIGHEST_INVENTED = 3;

  private final Mode mode;
  private final Messages messages;

  Lies(Mode mode, Messages messages) {
    this.mode = mode;
    this.messages = messages;
  }

  /**
   * The lies for one client.
   *
   * @param mine what it has sent
   * @param all what anybody has sent
   */
  List<Message> to(List<Message> mine, List<Message> all) {
    List<Message> lies = new ArrayList<>();
    newestGet(mine).ifPresent(get -> lies.addAll(reports(get, all)));
    for (Message message : mine) {
      if (message instanceof Propose propose) {
        lies.add(accepted(propose.proposal(), Accepted.Stage.PROPOSED));
      } else if (message instanceof Commit commit) {
        lies.add(accepted(commit.commit(), Accepted.Stage.COMMITTED));
      } else if (message instanceof Fetch fetch) {
        lies.add(
            new Bodies(
                OBJECT, fetch.wanted(), true, Optional.empty(), messages.pathTo(fetch.wanted())));
      }
    }
    return lies;
  }

  /** What one says who has forgotten everything, and acknowledges whatever is asked. */
  List<Message> ofOneWhoForgets(List<Message> mine) {
    return to(mine, List.of()).stream()
        .filter(lie -> !(lie instanceof Bodies))
        .filter(
            lie ->
                !(lie instanceof Report report)
                    || (report.proposed().isEmpty() && report.committed().isEmpty()))
        .toList();
  }

  private static Optional<Get> newestGet(List<Message> mine) {
    return mine.stream()
        .filter(Get.class::isInstance)
        .map(Get.class::cast)
        .max((one, other) -> one.rank().compareTo(other.rank()));
  }

  private static Accepted accepted(Statement said, Accepted.Stage stage) {
    return new Accepted(OBJECT, said.rank(), said.state().version(), stage, List.of());
  }

  private List<Message> reports(Get get, List<Message> all) {
    Set<Optional<Statement>> proposals = new LinkedHashSet<>();
    Set<Optional<Statement>> commits = new LinkedHashSet<>();
    proposals.add(Optional.empty());
    commits.add(Optional.empty());
    for (Message message : all) {
      if (message instanceof Propose propose) {
        proposals.add(Optional.of(propose.proposal()));
        propose.commit().ifPresent(commit -> commits.add(Optional.of(commit)));
      } else if (message instanceof Commit commit) {
        commits.add(Optional.of(commit.commit()));
      }
    }
    if (mode != Mode.SEALED_STATEMENTS) {
      inventOn(get.rank(), proposals, commits);
    }
    List<Message> reports = new ArrayList<>();
    for (Optional<Statement> proposal : proposals) {
      for (Optional<Statement> commit : commits) {
        reports.add(
            new Report(
                OBJECT,
                get.nonce(),
                proposal,
                commit,
                List.of(),
                proposal.map(said -> messages.pathTo(said.state())).orElse(List.of())));
      }
    }
    return reports;
  }

  /** Any state at any rank, as proposed and as committed; and some that nobody has. */
  private static void inventOn(
      Rank rank, Set<Optional<Statement>> proposals, Set<Optional<Statement>> commits) {
    Set<StateId> states = new LinkedHashSet<>();
    Set<Rank> ranks = new LinkedHashSet<>(List.of(rank));
    for (Optional<Statement> said : List.copyOf(proposals)) {
      said.ifPresent(one -> states.add(one.state()));
      said.ifPresent(one -> ranks.add(one.rank()));
    }
    for (StateId state : states) {
      ranks.forEach(at -> proposals.add(Optional.of(bare(at, state))));
      commits.add(Optional.of(bare(rank, state)));
    }
    // That of the highest rank is enough: nobody else ever shows these.
    for (long version = 1; version <= HIGHEST_INVENTED; version++) {
      byte[] name = ("nothing " + version).getBytes(StandardCharsets.US_ASCII);
      proposals.add(Optional.of(bare(rank, new StateId(version, Digest.of(name)))));
    }
  }

  private static Statement bare(Rank rank, StateId state) {
    return new Statement(rank, state, Optional.empty());
  }
}
