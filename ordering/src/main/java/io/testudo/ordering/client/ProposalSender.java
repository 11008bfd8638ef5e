package io.testudo.ordering.client;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Entries;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Propose;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of the client machine that sends proposals, each with what its server may lack of the
 * past: one that was not asked before, or not for a while, need not say first what it misses.
 */
final class ProposalSender extends Part<ServerId> {
  /** More bytes than this are not sent again with each proposal. */
  private static final long MAX_REPEATED_BYTES = 64 << 10;

  /** More than this is not sent along unless a server asks for it. */
  private static final long MAX_PAST_BYTES = 256 << 10;

  ProposalSender(Part<ServerId> client) {
    super(client);
  }

  /** Sends the newest proposal with all that is not chosen yet. */
  void send(ClientObject<?> object, Ballot ballot, ServerSet servers) {
    send(object, ballot, servers, unchosen(object, ballot));
  }

  /**
   * Sends the newest proposal. What those before it brought may not have arrived: it goes along if
   * it is short, and servers say what they miss.
   */
  void sendNewest(ClientObject<?> object, Ballot ballot) {
    List<Entry> entries = unchosen(object, ballot);
    if (ballot.flight.size() > 1 && Entries.bytesOf(entries) > MAX_REPEATED_BYTES) {
      entries = entries.subList(entries.size() - 1, entries.size());
    }
    send(object, ballot, ballot.asked, entries);
  }

  private static List<Entry> unchosen(ClientObject<?> object, Ballot ballot) {
    return object.history.path(object.chosenState(), ballot.statement().state()).orElse(List.of());
  }

  private void send(ClientObject<?> object, Ballot ballot, ServerSet servers, List<Entry> entries) {
    List<Propose> usual = messages(object, ballot, entries, unpublished(object));
    Map<Optional<StateId>, ServerSet> behind = new LinkedHashMap<>();
    ServerSet others = servers;
    for (ServerId server : servers) {
      if (!ballot.holdings.wasSent(server, object.chosenState())) {
        Optional<StateId> theirs = ballot.holdings.of(server, ballot.tally, object);
        // One that was asked in the beginning and has told nothing is silent, or only slow.
        boolean isBehind =
            theirs
                .map(it -> it.version() < object.chosenState().version())
                .orElse(!ballot.askedFirst.contains(server));
        if (isBehind) {
          behind.merge(theirs, ServerSet.of(server), ServerSet::union);
          others = others.without(server);
        }
      }
    }
    ServerSet upToDate = others;
    usual.forEach(propose -> sendAll(upToDate, propose));
    behind.forEach((theirs, some) -> sendWithPast(object, ballot, some, theirs, usual));
    ballot.holdings.wereSent(servers, ballot.statement().state());
  }

  private static Optional<Statement> unpublished(ClientObject<?> object) {
    return object.isPublished ? Optional.empty() : Optional.ofNullable(object.lastCommit);
  }

  /**
   * Sends a proposal with all that servers lack, if that is short; if not, they will say so.
   *
   * @param theirs what they have; nothing if that is not known
   * @param usual what is sent to those that have what was chosen
   */
  private void sendWithPast(
      ClientObject<?> object,
      Ballot ballot,
      ServerSet servers,
      Optional<StateId> theirs,
      List<Propose> usual) {
    StateId wanted = ballot.statement().state();
    Optional<List<Entry>> after = theirs.flatMap(it -> object.history.path(it, wanted));
    Optional<LogSnapshot> snapshot =
        after.isPresent() ? Optional.empty() : object.history.snapshot();
    List<Entry> past =
        after.or(() -> object.history.path(object.history.start(), wanted)).orElse(List.of());
    long bytes = Entries.bytesOf(past) + snapshot.map(it -> it.body().size()).orElse(0);
    if (bytes > MAX_PAST_BYTES) {
      usual.forEach(propose -> sendAll(servers, propose));
      return;
    }
    if (snapshot.isPresent()) {
      if (theirs.isEmpty()) {
        usual.forEach(propose -> sendAll(servers, propose)); // They may not know the name yet.
      }
      sendAll(servers, new InstallSnapshot(object.name, snapshot.get()));
    }
    messages(object, ballot, past, unpublished(object)).forEach(it -> sendAll(servers, it));
  }

  /** Who was not sent the proposal has to store it first. */
  void sendCommit(ClientObject<?> object, Ballot ballot, ServerSet servers) {
    ServerSet without = ServerSet.none();
    for (ServerId server : servers) {
      boolean hasIt = ballot.holdings.wasSent(server, ballot.statement().state());
      without = hasIt ? without : without.with(server);
    }
    if (!without.isEmpty()) {
      send(object, ballot, without, unchosen(object, ballot));
    }
    sendAll(servers, new Commit(object.name, ballot.statement(), ballot.rankSeal));
  }

  /** What carries entries that may be too long for one message; the last one completes it. */
  static List<Propose> messages(
      ClientObject<?> object, Ballot ballot, List<Entry> entries, Optional<Statement> commit) {
    List<Propose> messages = new ArrayList<>();
    for (List<Entry> some : Entries.chunks(entries)) {
      messages.add(new Propose(object.name, ballot.statement(), ballot.rankSeal, some, commit));
    }
    return messages;
  }
}
