package io.testudo.ordering.client;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.Choice;
import io.testudo.ordering.log.History;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One GET and everything that its client proposes at that rank. The rank is never used again after
 * a timeout or a restart.
 */
final class Ballot {
  /** Where a ballot stands. */
  enum Phase {
    /** Asking what servers know. */
    GETTING,
    /** Waiting for the bodies of the state to go on from. */
    FETCHING,
    /** Storing a state. */
    PROPOSING,
    /** Publishing it; waited for only where statements are not sealed. */
    COMMITTING,
    /** Everything is done. The next proposal needs no GET. */
    WARM,
    /** Somebody reads: that no other ballot came between has to be shown by a quorum. */
    CONFIRMING
  }

  final Rank rank;
  final Optional<Seal> rankSeal;

  /** Of the question whether the rank still stands. */
  long confirmation;

  final boolean isCourteous;
  private final Optional<Rank> displaced;
  final ReportTally tally;

  /** Those whom it asks at present. */
  ServerSet asked = ServerSet.none();

  /** Those whom it asked in the beginning. */
  ServerSet askedFirst = ServerSet.none();

  /** All whom it ever asked. */
  ServerSet reached = ServerSet.none();

  /** Others had to be asked: how long that takes says nothing of a round trip. */
  boolean isWidened;

  /** What servers were sent, or have by what they reported. */
  final Holdings holdings = new Holdings();

  /** Servers that said that their memory of the object begins anew, and the last time they did. */
  final List<MemoryEpoch> lost = new ArrayList<>();

  /**
   * What had been proposed when each of them said so: it may have accepted that in the memory that
   * it lost, and whoever heard so counts it still.
   */
  final Map<ServerId, Long> proposedBeforeLoss = new HashMap<>();

  /** Those of them that say so still. */
  ServerSet absent = ServerSet.none();

  /** Those that accepted something at this rank: they have all that was chosen before. */
  ServerSet upToDate = ServerSet.none();

  /** What the others answer, who are to take note of it. */
  @Nullable ReportTally noting;

  long notingSinceNanos;

  Phase phase = Phase.GETTING;
  Moment begun;

  /** The state to go on from, once it is decided. */
  @Nullable Choice choice;

  /** What was proposed last, or is being committed. */
  @Nullable Statement statement;

  /** Proposals that are not chosen yet, oldest first: each goes on from the one before. */
  final Deque<Proposal> flight = new ArrayDeque<>();

  /** A proposal, and who has accepted it or one that goes on from it. */
  static final class Proposal {
    final Statement statement;
    final Moment sent;
    final List<CallId<ReadResult>> readers;
    ServerSet accepted = ServerSet.none();

    Proposal(Statement statement, Moment sent, List<CallId<ReadResult>> readers) {
      this.statement = statement;
      this.sent = sent;
      this.readers = new ArrayList<>(readers);
    }

    long version() {
      return statement.state().version();
    }
  }

  /** Whether something was chosen in this ballot. */
  boolean wasWarm;

  /** How many of the client's own operations were there when it was made. */
  int batch;

  /** Whether it waits a moment for callers that are about to come back. */
  boolean gathers;

  /** Those who asked to read before it was sent; who asks later must be shown a later one. */
  final List<CallId<ReadResult>> readers = new ArrayList<>();

  ServerSet accepted = ServerSet.none();

  /** The quorum that accepted the last state that was chosen; each of them may have more now. */
  ServerSet chosenBy = ServerSet.none();

  /** The version of that state. */
  long chosenVersion;

  ServerSet refused = ServerSet.none();

  /** Those that refuse by a rank of which we cannot check the seal. */
  ServerSet unprovenRefusals = ServerSet.none();

  /** Those at which another ballot is at work, to which this one makes way. */
  ServerSet busy = ServerSet.none();

  /**
   * Those that were sent what they said they lack; once between two ticks, however often they ask.
   */
  ServerSet helped = ServerSet.none();

  /** How often it sent servers what they lack. */
  final Helps helps = new Helps();

  /**
   * A ballot that begins.
   *
   * @param displaced the holder that it makes no way for, though it is courteous
   */
  Ballot(
      Rank rank,
      Optional<Seal> rankSeal,
      long nonce,
      boolean isCourteous,
      Optional<Rank> displaced,
      Moment begun) {
    this.rank = rank;
    this.rankSeal = rankSeal;
    this.tally = new ReportTally(nonce);
    this.isCourteous = isCourteous;
    this.displaced = displaced;
    this.begun = begun;
  }

  /** Asks these from now on. */
  void ask(ServerSet servers) {
    askedFirst = reached.isEmpty() ? servers : askedFirst;
    asked = servers;
    reached = reached.union(servers);
    isWidened = false;
  }

  /** Asks all, because those that were asked are not enough. */
  void widen(ServerSet everyone) {
    isWidened |= !asked.equals(everyone);
    asked = everyone;
    reached = everyone;
  }

  Get get(String object, ServerId to, Optional<StateId> known) {
    long nonce = tally.nonceFor(to);
    return new Get(object, nonce, rank, rankSeal, known, isCourteous, List.of(), displaced);
  }

  /** Asks a server to remember, with the rank, which others have lost their memory. */
  Get note(String object, ReportTally answers, ServerId to) {
    long nonce = answers.nonceFor(to);
    return new Get(object, nonce, rank, rankSeal, Optional.empty(), false, lost, Optional.empty());
  }

  /**
   * Whether the present phase lasts for too long, by one clock or the other: one of them stands
   * still while a machine is suspended.
   */
  boolean isOverdue(Moment now, long ballotNanos) {
    return phase != Phase.WARM
        && (now.nanos() - begun.nanos() >= ballotNanos
            || now.wallMillis() - begun.wallMillis() >= NANOSECONDS.toMillis(ballotNanos));
  }

  /**
   * Whether a report can be counted. Where statements are sealed, the newest one is gone on from,
   * so what it names must be here; what is older than another that is here matters no more.
   */
  boolean counts(Mode mode, History history, Report report) {
    if (!mode.sealsStatements() || report.proposed().isEmpty()) {
      return true;
    }
    Statement said = report.proposed().get();
    return history.holds(said.state())
        || tally.reports().stream()
            .flatMap(other -> other.proposed().stream())
            .anyMatch(other -> other.isNewerThan(said) && history.holds(other.state()));
  }

  /** What the reports say that can be counted. */
  List<Choice.Told> told(Mode mode, History history) {
    return tally.told().stream()
        .filter(
            told ->
                counts(mode, history, Objects.requireNonNull(tally.byServer().get(told.from()))))
        .toList();
  }

  /**
   * The commit of a state that so many servers report. One state may have several, at other ranks:
   * the first server's counts, since it is passed on and runs of equal seeds are to send the same.
   */
  Optional<Statement> commitOf(StateId state, int vouchers) {
    List<Statement> commits =
        tally.reports().stream()
            .flatMap(report -> report.committed().stream())
            .filter(said -> said.state().equals(state))
            .toList();
    return commits.stream()
        .filter(said -> Collections.frequency(commits, said) >= vouchers)
        .findFirst();
  }

  Statement statement() {
    if (statement == null) {
      throw new IllegalStateException("nothing is proposed");
    }
    return statement;
  }

  void enter(Phase next, Moment now) {
    phase = next;
    accepted = ServerSet.none();
    helped = ServerSet.none();
    begun = now;
  }

  /**
   * From now on the ballot answers those who read; who comes later has to wait for what is later.
   */
  void takeReaders(ClientObject<?> object) {
    readers.addAll(object.readers);
    object.readers.clear();
  }

  boolean hasReaders() {
    return !readers.isEmpty() || flight.stream().anyMatch(it -> !it.readers.isEmpty());
  }

  /** A proposal goes out. It answers those who asked to read before. */
  void propose(Statement proposed, Moment now) {
    statement = proposed;
    if (flight.isEmpty()) {
      enter(Phase.PROPOSING, now);
    }
    flight.add(new Proposal(proposed, now, readers));
    readers.clear();
  }

  /**
   * A server has accepted what was proposed for a version, and so all that leads to it.
   *
   * @return the newest proposal that a quorum has accepted; null if none
   */
  @Nullable Proposal accept(ServerId from, long version, Thresholds thresholds) {
    Proposal complete = null;
    for (Proposal proposal : flight) {
      if (proposal.version() <= version) {
        proposal.accepted = proposal.accepted.with(from);
        accepted = accepted.with(from);
      }
      complete = thresholds.isQuorum(proposal.accepted) ? proposal : complete;
    }
    return complete;
  }

  /**
   * A proposal was chosen, and those before it.
   *
   * @return those who read, and may be answered
   */
  List<CallId<ReadResult>> land(Proposal chosen) {
    List<CallId<ReadResult>> answered = new ArrayList<>(readers);
    readers.clear();
    Proposal landed = null;
    while (landed != chosen) {
      landed = flight.remove();
      answered.addAll(landed.readers);
    }
    return answered;
  }

  /** A server says that its memory begins anew; it may have said so of an earlier one. */
  void lost(MemoryEpoch memory) {
    lost.removeIf(it -> it.server().equals(memory.server()));
    lost.add(memory);
    upToDate = upToDate.without(memory.server());
    proposedBeforeLoss.put(memory.server(), statement == null ? 0 : statement.state().version());
  }

  /** The epoch of the last loss of a server that this ballot heard of; 0 if of none. */
  long epochOfLoss(ServerId server) {
    return lost.stream()
        .filter(it -> it.server().equals(server))
        .mapToLong(MemoryEpoch::epoch)
        .findAny()
        .orElse(0);
  }

  /**
   * Whether so many others that a server which lost its memory is not missed have what was chosen,
   * and all that it may have said that it has.
   */
  boolean isChosenWithout(ServerId server, Thresholds thresholds) {
    return thresholds.isQuorum(chosenBy.without(server))
        && chosenVersion >= proposedBeforeLoss.getOrDefault(server, 0L);
  }

  /** Whether a state is what was proposed last, or is on its way. */
  boolean hasProposed(StateId state) {
    return (statement != null && statement.state().equals(state))
        || flight.stream().anyMatch(it -> it.statement.state().equals(state));
  }

  /** Those that have accepted the oldest proposal, or answered what else was asked. */
  ServerSet acceptedFirst() {
    return flight.isEmpty() ? accepted : flight.element().accepted;
  }

  /** Those that have all that was proposed, or answered what else was asked. */
  ServerSet acceptedAll() {
    return flight.isEmpty() ? accepted : flight.getLast().accepted;
  }
}
