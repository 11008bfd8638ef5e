package io.testudo.ordering.sim;

import io.testudo.crypto.Seal;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Accepted.Stage;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.HonestStep;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a liar can say of who orders an object and of what came of operations. It uses what it has
 * heard: ranks with their seals, operations with theirs, and who waits for what.
 */
final class TenureLies {
  /** As often a storm says the same. */
  private static final int STORM = 3;

  private static final long LATE_NANOS = 150_000_000L;

  private final List<OutgoingMessage> said = new ArrayList<>();
  private final ByzantineKind kind;
  private final StrategyContext context;
  private final Heard heard;

  private TenureLies(ByzantineKind kind, StrategyContext context, Heard heard) {
    this.kind = kind;
    this.context = context;
    this.heard = heard;
  }

  /** What liars that collude have heard. */
  private static final class Heard {
    private static final int MOST = 32;

    final Map<OpId, SubmittedOperation> operations = BoundedMap.byAge(MOST);
    final Map<Long, ClientId> submitters = BoundedMap.byAge(MOST);
    final Map<ClientId, Rank> ranks = BoundedMap.byAge(MOST);
    Rank highest = Rank.NONE;
    Optional<Seal> seal = Optional.empty();
    @Nullable Propose proposed;

    void hear(ClientId from, Message message) {
      if (message instanceof Submit submit) {
        operations.put(submit.operation().id(), submit.operation());
        submitters.put(submit.operation().id().session(), from);
      } else if (message instanceof Get get && !get.rank().equals(Rank.NONE)) {
        hear(from, get.rank(), get.seal());
      } else if (message instanceof Propose propose) {
        hear(from, propose.proposal().rank(), propose.rankSeal());
        proposed = propose;
      }
    }

    private void hear(ClientId from, Rank rank, Optional<Seal> shown) {
      ranks.put(from, rank);
      if (highest.isBelow(rank)) {
        highest = rank;
        seal = shown;
      }
    }
  }

  /** What else one of this kind says at a step, beside what it means or in its place. */
  static List<OutgoingMessage> of(ByzantineKind kind, HonestStep step, StrategyContext context) {
    Heard heard = context.shared(Heard.class, Heard::new);
    TenureLies lies = new TenureLies(kind, context, heard);
    if (step.cause() instanceof Input.Received<ClientId> received) {
      heard.hear(received.from(), received.message());
      lies.to(received.from(), received.message());
    }
    return lies.said;
  }

  /** Whether one of this kind keeps to itself what it means to say. */
  static boolean withholds(ByzantineKind kind, Message meant) {
    return kind == ByzantineKind.ALWAYS_LOCKED && meant instanceof Relayed;
  }

  private void say(ClientId to, Message message) {
    said.add(new OutgoingMessage(to, message, 0));
  }

  private void to(ClientId from, Message message) {
    switch (kind) {
      case ALWAYS_LOCKED -> disturb(from, message);
      case ALWAYS_FREE -> {
        if (message instanceof Propose propose) {
          acceptWithStale(from, propose);
          include(propose, false);
        }
      }
      case EARLY_COMMIT -> {
        if (message instanceof Propose propose) {
          include(propose, true);
        } else if (message instanceof Submit submit) {
          includeTooEarly(from, submit);
        }
      }
      case INVENT -> {
        if (message instanceof Submit || message instanceof Propose) {
          relayToAll(OrderingForger.objectOf(message));
        }
      }
      default -> {}
    }
  }

  /** That nobody orders, again and again; that somebody does who does not; that a rank has gone. */
  private void disturb(ClientId from, Message message) {
    String object = OrderingForger.objectOf(message);
    if (message instanceof Submit || message instanceof Get || message instanceof Propose) {
      for (int i = 0; i < STORM; i++) {
        say(from, new Unattended(object));
      }
    }
    Rank asked =
        message instanceof Get get
            ? get.rank()
            : message instanceof Propose propose ? propose.proposal().rank() : Rank.NONE;
    if (asked.equals(Rank.NONE)) {
      return;
    }
    say(from, new Busy(object, asked, heard.highest));
    if (asked.isBelow(heard.highest)) {
      say(from, new Superseded(object, asked, heard.highest, heard.seal));
    }
    // Whoever came before hears at once that it did.
    heard.ranks.forEach(
        (other, theirs) -> {
          if (theirs.isBelow(asked) && !other.equals(from)) {
            say(other, new Superseded(object, theirs, heard.highest, heard.seal));
          }
        });
  }

  /** It is stored, and what was done long ago still waits. */
  private void acceptWithStale(ClientId from, Propose propose) {
    List<SubmittedOperation> pending = new ArrayList<>(heard.operations.values());
    pending.add(OrderingForger.ghostOperation());
    say(
        from,
        new Accepted(
            propose.object(),
            propose.proposal().rank(),
            propose.proposal().state().version(),
            Stage.PROPOSED,
            pending));
  }

  /**
   * Says that it accepted what it did not look at, to those whose operations are in it.
   *
   * @param differs whether each hears something else, and some late
   */
  private void include(Propose propose, boolean differs) {
    for (Entry entry : propose.entries()) {
      for (EntryBody.Done done : bodyOf(entry).done()) {
        ClientId submitter = heard.submitters.get(done.id().session());
        if (submitter == null) {
          continue;
        }
        Bytes result = differs && context.entropy().chance(0.3) ? Bytes.EMPTY : done.result();
        Included word =
            new Included(
                propose.object(), done.id(), propose.proposal().rank(), entry.state(), result);
        long delay = differs && context.entropy().chance(0.3) ? LATE_NANOS : 0;
        said.add(new OutgoingMessage(submitter, word, delay));
      }
    }
  }

  private static EntryBody bodyOf(Entry entry) {
    try {
      return EntryBody.read(entry.body());
    } catch (IllegalArgumentException e) {
      return EntryBody.NOTHING;
    }
  }

  /** An operation that has just come is said to be in what was proposed before it. */
  private void includeTooEarly(ClientId from, Submit submit) {
    Propose last = heard.proposed;
    if (last != null && last.object().equals(submit.object())) {
      StateId state = last.proposal().state();
      OpId id = submit.operation().id();
      say(from, new Included(submit.object(), id, last.proposal().rank(), state, Bytes.EMPTY));
    }
  }

  /**
   * What waits, what was done and what nobody wants, to those who order and to those who do not.
   */
  private void relayToAll(String object) {
    List<SubmittedOperation> stale = new ArrayList<>(heard.operations.values());
    stale.add(OrderingForger.ghostOperation());
    heard.ranks.forEach((client, rank) -> say(client, new Relayed(object, rank, stale)));
  }

  /** A place, a rank or a result that the operation does not have. */
  static Optional<Message> distorted(ByzantineKind kind, Included said, StrategyContext context) {
    return switch (kind) {
      case WILD_NUMBER -> {
        boolean isRank = context.entropy().chance(0.5);
        Rank rank = isRank ? new Rank(RankClock.MAX_TIME, said.rank().session()) : said.rank();
        StateId state =
            isRank ? said.state() : new StateId(said.state().version() + 1, said.state().link());
        yield Optional.of(new Included(said.object(), said.id(), rank, state, said.result()));
      }
      case INVENT ->
          Optional.of(
              new Included(said.object(), said.id(), said.rank(), said.state(), Bytes.EMPTY));
      default -> Optional.empty();
    };
  }

  /** More waits than does. */
  static Optional<Message> distorted(ByzantineKind kind, Accepted said) {
    if (kind == ByzantineKind.INVENT) {
      List<SubmittedOperation> pending = new ArrayList<>(said.pending());
      pending.add(OrderingForger.ghostOperation());
      return Optional.of(
          new Accepted(
              said.object(), said.rank(), said.version(), said.stage(), pending, said.epoch()));
    }
    if (kind == ByzantineKind.WILD_NUMBER) {
      return Optional.of(
          new Accepted(
              said.object(),
              said.rank(),
              said.version() + 1,
              said.stage(),
              said.pending(),
              said.epoch()));
    }
    return Optional.empty();
  }
}
