package io.testudo.ordering.sim;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Agreement as the protocol sees it, long before an application notices: a proposal is complete
 * when a quorum has accepted it. Any two complete proposals lie on one line, the one of the higher
 * rank at the same place or further on; a rank and a version name one state; only what is complete
 * is committed.
 */
final class AgreementChecker {
  private final String object;
  private final Predicate<ServerSet> isQuorum;
  private final HearsayChecker hearsay;
  private ServerSet liars = ServerSet.none();
  private final Map<Place, StateId> proposed = new HashMap<>();
  private final Map<Place, ServerSet> accepted = new HashMap<>();

  /** The link before each link that was ever proposed. */
  private final Map<Digest, Digest> parents = new HashMap<>();

  /** What came of operations, by the links of the versions that contain them. */
  private final Map<Digest, Map<OpId, Bytes>> results = new HashMap<>();

  private final Set<StateId> complete = new HashSet<>();
  private final Set<Place> settled = new HashSet<>();
  private final NavigableMap<Rank, Span> completeAt = new TreeMap<>();

  /** The one line, by version. */
  private final Map<Long, Digest> line = new HashMap<>();

  private long newest;

  /** Where one client proposes one state. */
  private record Place(Rank rank, long version) {}

  /** The versions that are complete at a rank. */
  private record Span(long lowest, long highest) {
    Span with(long version) {
      return new Span(Math.min(lowest, version), Math.max(highest, version));
    }
  }

  /**
   * Makes a checker.
   *
   * @param isQuorum whether so many correct servers and liars that a proposal is complete
   */
  AgreementChecker(String object, Predicate<ServerSet> isQuorum) {
    this.object = object;
    this.isQuorum = isQuorum;
    this.hearsay = new HearsayChecker(object, this);
    StateId genesis = StateId.genesis(object);
    line.put(0L, genesis.link());
    complete.add(genesis);
  }

  /** A client sends this to some server. */
  void onClientSends(Message message) {
    hearsay.onClientSends(message);
    if (message instanceof Propose propose && propose.object().equals(object)) {
      propose.entries().forEach(this::learn);
      Statement said = propose.proposal();
      Place place = new Place(said.rank(), said.state().version());
      StateId before = proposed.putIfAbsent(place, said.state());
      if (before != null && !before.equals(said.state())) {
        throw Violation.safety(place + " names both " + before + " and " + said.state());
      }
      propose.commit().ifPresent(this::committed);
    } else if (message instanceof Commit commit && commit.object().equals(object)) {
      committed(commit.commit());
    } else if (message instanceof InstallSnapshot install && install.object().equals(object)) {
      committed(install.snapshot().commit());
    }
  }

  /** A correct server believes that this was proposed. */
  void proposed(Statement said) {
    Place place = new Place(said.rank(), said.state().version());
    if (!said.state().equals(proposed.get(place))) {
      throw Violation.safety(said + " is handed on, and nobody proposed it");
    }
  }

  /** Whether a quorum has accepted anything at a rank. */
  boolean isChosenAt(Rank rank) {
    return completeAt.containsKey(rank);
  }

  private void learn(Entry entry) {
    Digest link = entry.state().link();
    if (parents.putIfAbsent(link, entry.parent()) == null) {
      results.put(link, resultsOf(entry));
    }
  }

  private static Map<OpId, Bytes> resultsOf(Entry entry) {
    Map<OpId, Bytes> done = new HashMap<>();
    try {
      EntryBody.read(entry.body()).done().forEach(it -> done.put(it.id(), it.result()));
    } catch (IllegalArgumentException e) {
      return Map.of(); // It does nothing.
    }
    return done;
  }

  /**
   * A client tells its application what came of an operation, whoever ordered it and however it has
   * learnt that: a quorum has accepted the version that says so.
   */
  void told(OpId id, long version, Bytes result) {
    Digest link = version <= newest ? line.get(version) : null;
    Map<OpId, Bytes> done = link == null ? null : results.get(link);
    if (done == null || !result.equals(done.get(id))) {
      throw Violation.safety(
          "%s is said to be done in version %d, which no quorum has accepted with that result"
              .formatted(id, version));
    }
  }

  /** Whether a client proposed a version in which this came of an operation. */
  boolean isResult(OpId id, StateId state, Bytes result) {
    return result.equals(results.getOrDefault(state.link(), Map.of()).get(id));
  }

  /** Somebody says, or a correct server believes, that this was committed. */
  void committed(Statement said) {
    // The rank counts as much as the state: of two commits the one of the higher rank is believed.
    if (!settled.contains(new Place(said.rank(), said.state().version()))
        || !complete.contains(said.state())) {
      throw Violation.safety(
          "%s is committed at %s, but no quorum has accepted it there"
              .formatted(said.state(), said.rank()));
    }
  }

  /** A correct server says this. */
  void onServerSends(ServerId server, Message message) {
    hearsay.onServerSends(message);
    if (message instanceof Accepted said
        && said.object().equals(object)
        && said.stage() == Accepted.Stage.PROPOSED) {
      accepted(server, new Place(said.rank(), said.version()));
    } else if (message instanceof Report report && report.object().equals(object)) {
      // One that died when it had stored a proposal, and before it said so, shows it later.
      report
          .proposed()
          .ifPresent(said -> accepted(server, new Place(said.rank(), said.state().version())));
    }
  }

  /**
   * Who accepts what a client proposed last has accepted all that it proposed at that rank before.
   */
  private void accepted(ServerId server, Place newest) {
    Place place = newest;
    do {
      ServerSet before = accepted.getOrDefault(place, ServerSet.none());
      if (before.contains(server)) {
        return;
      }
      ServerSet servers = before.with(server);
      accepted.put(place, servers);
      completeIfAccepted(place, servers);
      place = new Place(place.rank(), place.version() - 1);
    } while (proposed.containsKey(place));
  }

  /** These lie from now on: they may say that they have accepted anything. */
  void setLiars(ServerSet lying) {
    liars = lying;
    accepted.forEach(this::completeIfAccepted);
  }

  /**
   * A server that had lost its memory takes part again from this rank on. Those who noted the loss
   * answer to every higher rank, so there nobody may count what it accepted before; below, those
   * who count it are no worse off than if one of them lied.
   */
  void restored(ServerId server, Rank rank) {
    accepted.replaceAll(
        (place, servers) ->
            rank.compareTo(place.rank()) < 0 && !settled.contains(place)
                ? servers.without(server)
                : servers);
  }

  private void completeIfAccepted(Place place, ServerSet servers) {
    // Liars alone are never believed, even where there are too many of them.
    boolean isAccepted = !servers.isEmpty() && isQuorum.test(servers.union(liars));
    if (isAccepted && settled.add(place)) {
      completed(place);
    }
  }

  private void completed(Place place) {
    StateId state = proposed.get(place);
    if (state == null) {
      throw Violation.safety(place + " was accepted by a quorum, but nobody proposed it");
    }
    complete.add(state);
    extendLine(state);
    Map.Entry<Rank, Span> below = completeAt.lowerEntry(place.rank());
    Map.Entry<Rank, Span> above = completeAt.higherEntry(place.rank());
    if ((below != null && below.getValue().highest() > place.version())
        || (above != null && above.getValue().lowest() < place.version())) {
      throw Violation.safety(
          "%s is complete between %s and %s: a higher rank went back"
              .formatted(place, below, above));
    }
    completeAt.merge(
        place.rank(),
        new Span(place.version(), place.version()),
        (span, one) -> span.with(one.lowest()));
  }

  private void extendLine(StateId state) {
    @Nullable Digest link = state.link();
    for (long version = state.version(); version >= 0; version--) {
      if (link == null) {
        throw Violation.safety(state + " is complete, but nobody showed what leads to it");
      }
      Digest known = version <= newest ? line.get(version) : null;
      if (known != null) {
        if (!known.equals(link)) {
          throw Violation.safety(
              "two quorums accepted different things: %s does not follow from v%d:%s"
                  .formatted(state, version, known.toString().substring(0, 6)));
        }
        break;
      }
      line.put(version, link);
      link = parents.get(link);
    }
    newest = Math.max(newest, state.version());
  }
}
