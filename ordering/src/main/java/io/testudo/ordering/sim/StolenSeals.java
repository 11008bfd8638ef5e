package io.testudo.ordering.sim;

import io.testudo.crypto.SealKind;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.byzantine.HonestStep;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What only who has the keys of a client can say: ranks, operations, proposals and commits in the
 * name of another, wherever a message of a server has a place for one.
 */
final class StolenSeals {
  private final OrderSeals seals;
  private final OpId next;
  private final StrategyContext context;

  private StolenSeals(OrderSeals seals, OpId next, StrategyContext context) {
    this.seals = seals;
    this.next = next;
    this.context = context;
  }

  /** What liars heard of those in whose name they speak: the last operation of each. */
  private static final class Victims {
    private static final int MOST = 16;

    private final Map<ClientId, OpId> last = BoundedMap.byAge(MOST);

    void hear(HonestStep step) {
      if (step.cause() instanceof Input.Received<ClientId> received
          && received.message() instanceof Submit submit) {
        last.put(received.from(), submit.operation().id());
      }
    }

    Optional<ClientId> any(Entropy entropy) {
      return last.isEmpty()
          ? Optional.empty()
          : Optional.of(List.copyOf(last.keySet()).get(entropy.nextInt(last.size())));
    }

    OpId next(ClientId victim) {
      OpId before = Objects.requireNonNull(last.get(victim));
      return new OpId(before.session(), before.sequence() + 1);
    }
  }

  /** The same, with what nobody sealed but who stole the keys. */
  static List<OutgoingMessage> inTheNameOfOthers(
      LongFunction<OrderSeals> stolen,
      HonestStep step,
      List<OutgoingMessage> said,
      StrategyContext context) {
    Victims victims = context.shared(Victims.class, Victims::new);
    victims.hear(step);
    Optional<ClientId> victim = victims.any(context.entropy());
    if (victim.isEmpty()) {
      return said;
    }
    StolenSeals seals =
        new StolenSeals(stolen.apply(victim.get().session()), victims.next(victim.get()), context);
    return said.stream().map(it -> it.saying(seals.sealed(it.message()))).toList();
  }

  private Message sealed(Message message) {
    if (message instanceof Report report) {
      return sealed(report);
    } else if (message instanceof Accepted said) {
      return new Accepted(
          said.object(),
          said.rank(),
          said.version(),
          said.stage(),
          withGhost(said.object(), said.pending()),
          said.epoch());
    } else if (message instanceof Relayed relayed) {
      return new Relayed(
          relayed.object(), relayed.rank(), withGhost(relayed.object(), relayed.operations()));
    } else if (message instanceof Superseded refusal) {
      Rank rank = above(refusal.asked());
      return new Superseded(
          refusal.object(),
          refusal.asked(),
          rank,
          seals.seal(refusal.object(), rank.time(), rank.session()));
    } else if (message instanceof Bodies bodies) {
      return new Bodies(
          bodies.object(),
          bodies.wanted(),
          bodies.isFirst(),
          bodies.snapshot().map(it -> committedLater(bodies.object(), it)),
          bodies.entries());
    }
    return message;
  }

  private LogSnapshot committedLater(String object, LogSnapshot snapshot) {
    Rank rank = above(snapshot.commit().rank());
    return new LogSnapshot(
        seals.seal(SealKind.COMMIT, object, rank, snapshot.state()), snapshot.body());
  }

  private Rank above(Rank rank) {
    return new Rank(Math.min(rank.time() + 1, RankClock.MAX_TIME), next.session());
  }

  private List<SubmittedOperation> withGhost(String object, List<SubmittedOperation> some) {
    List<SubmittedOperation> all = new ArrayList<>(some);
    SubmittedOperation ghost = OrderingForger.ghostOperation();
    all.add(seals.seal(object, new SubmittedOperation(next, 0, ghost.body(), Optional.empty())));
    return all;
  }

  private Report sealed(Report report) {
    Optional<Statement> proposed = report.proposed();
    Optional<Statement> committed = report.committed();
    List<Entry> entries = report.entries();
    if (context.entropy().chance(0.5)) {
      Entry invented = OrderingForger.inventedEntry(report.object(), context);
      Rank rank = above(proposed.map(Statement::rank).orElse(Rank.NONE));
      proposed = Optional.of(seals.seal(SealKind.PROPOSE, report.object(), rank, invented.state()));
      if (context.entropy().chance(0.5)) {
        committed =
            Optional.of(seals.seal(SealKind.COMMIT, report.object(), rank, invented.state()));
      }
      entries = List.of(invented);
    }
    return new Report(
        report.object(),
        report.nonce(),
        proposed,
        committed,
        withGhost(report.object(), report.pending()),
        entries,
        report.epoch(),
        report.others());
  }
}
