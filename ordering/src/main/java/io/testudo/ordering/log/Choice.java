package io.testudo.ordering.log;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * From which state a ballot goes on, given what a quorum of servers reported: the heart of the
 * protocol. See docs/ordering.md for why.
 *
 * @param from the state to go on from; nothing for the initial one
 * @param mustComplete whether it has to be proposed and committed again first
 */
public record Choice(Optional<StateId> from, boolean mustComplete) {

  /**
   * What servers said, without what they cannot prove.
   *
   * @param proposed by rank and version
   */
  public record Told(ServerId from, Optional<Statement> proposed, Optional<Statement> committed) {}

  /** Those who said these. */
  public static ServerSet tellers(Collection<Told> told) {
    ServerSet tellers = ServerSet.none();
    for (Told one : told) {
      tellers = tellers.with(one.from());
    }
    return tellers;
  }

  /** Nothing if what is reported cannot have come about: more servers lie than are tolerated. */
  public static Optional<Choice> of(Mode mode, Thresholds thresholds, Collection<Told> told) {
    return mode.sealsStatements() ? Optional.of(newest(told)) : vouched(thresholds, told);
  }

  /**
   * The newest state that was chosen before servers were asked, if their answers show which one it
   * is. Else an orderer is at work, or has died, and who wants to know must order, too.
   *
   * <p>Whoever has accepted a state that was chosen since shows it or what came after it for ever.
   * So many show nothing of the kind that, whoever of them lies, the others make it impossible that
   * a quorum has accepted anything newer. They are counted together, not for each proposal that is
   * newer: one state may have been proposed at several ranks.
   */
  public static Optional<StateId> settled(
      Mode mode, Thresholds thresholds, String object, Collection<Told> told) {
    Optional<Statement> committed = newestCommitted(mode, thresholds, told);
    Rank rank = committed.map(Statement::rank).orElse(Rank.NONE);
    StateId state = committed.map(Statement::state).orElse(StateId.genesis(object));
    ServerSet lacking = ServerSet.none();
    for (Told one : told) {
      boolean isAhead =
          one.proposed().stream()
              .filter(said -> said.state().version() > state.version())
              .anyMatch(said -> !said.rank().isBelow(rank)); // Else it can be chosen no more.
      lacking = isAhead ? lacking : lacking.with(one.from());
    }
    if (thresholds.excludesAQuorum(lacking)) {
      return Optional.of(state);
    }
    return mode.sealsStatements() ? unanimous(thresholds, told) : Optional.empty();
  }

  /**
   * What a reader has to be shown, at least: whatever was chosen before it asked is not newer.
   *
   * @param rank where statements are sealed: at which the newest one was proposed
   */
  public record Target(Rank rank, long version) {}

  /** What those who ask now have to be shown. */
  public static Target target(Mode mode, Thresholds thresholds, Collection<Told> told) {
    if (!mode.sealsStatements()) {
      return new Target(Rank.NONE, vouchedVersion(thresholds, told));
    }
    Statement newest = newestOf(told);
    return newest == null
        ? new Target(Rank.NONE, 0)
        : new Target(newest.rank(), newest.state().version());
  }

  /**
   * The newest state that answers show to be chosen, if it is not older than what a reader has to
   * be shown. The answers are later ones than those that said what that is.
   *
   * <p>Where statements are sealed, what one client proposes at a rank goes on from what it
   * proposed there before: a quorum that has accepted this version at that rank, or later ones, has
   * chosen it. Else a state is chosen when it is committed.
   */
  public static Optional<StateId> reached(
      Mode mode, Thresholds thresholds, Collection<Told> told, Target target) {
    Optional<StateId> chosen;
    if (mode.sealsStatements()) {
      chosen = acceptedAt(target.rank(), thresholds, told);
    } else {
      chosen = highestCommitted(thresholds, told);
    }
    return chosen.filter(state -> state.version() >= target.version());
  }

  /** The newest version that a quorum shows to have accepted at a rank, or later ones. */
  private static Optional<StateId> acceptedAt(
      Rank rank, Thresholds thresholds, Collection<Told> told) {
    Map<Long, ServerSet> byVersion = new TreeMap<>(Comparator.reverseOrder());
    Map<Long, StateId> states = new HashMap<>();
    for (Told one : told) {
      if (one.proposed().isPresent() && one.proposed().get().rank().equals(rank)) {
        StateId state = one.proposed().get().state();
        byVersion.merge(state.version(), ServerSet.of(one.from()), ServerSet::union);
        states.put(state.version(), state);
      }
    }
    ServerSet accepting = ServerSet.none();
    for (Map.Entry<Long, ServerSet> version : byVersion.entrySet()) {
      accepting = accepting.union(version.getValue());
      if (thresholds.isQuorum(accepting)) {
        return Optional.ofNullable(states.get(version.getKey()));
      }
    }
    return Optional.empty();
  }

  /** The newest state that is known to have been chosen. There may be a newer one. */
  public static StateId published(
      Mode mode, Thresholds thresholds, String object, Collection<Told> told) {
    return newestCommitted(mode, thresholds, told)
        .map(Statement::state)
        .orElse(StateId.genesis(object));
  }

  /** A state that is known to have been chosen, and the highest rank at which it was. */
  private static Optional<Statement> newestCommitted(
      Mode mode, Thresholds thresholds, Collection<Told> told) {
    List<Statement> newestFirst =
        told.stream()
            .flatMap(one -> one.committed().stream())
            .sorted(
                Comparator.<Statement>comparingLong(said -> said.state().version())
                    .thenComparing(Statement::rank)
                    .reversed())
            .toList();
    if (mode.sealsStatements()) {
      return newestFirst.stream().findFirst();
    }
    return highestCommitted(thresholds, told)
        .flatMap(
            state ->
                newestFirst.stream()
                    .filter(said -> said.state().equals(state))
                    .skip(thresholds.vouchers() - 1L)
                    .findFirst());
  }

  /** A proposal that a whole quorum has, published or not. */
  private static Optional<StateId> unanimous(Thresholds thresholds, Collection<Told> told) {
    Map<Statement, ServerSet> votes = new HashMap<>();
    for (Told one : told) {
      one.proposed()
          .ifPresent(said -> votes.merge(said, ServerSet.of(one.from()), ServerSet::union));
    }
    return votes.entrySet().stream()
        .filter(vote -> thresholds.isQuorum(vote.getValue()))
        .map(vote -> vote.getKey().state())
        .findFirst();
  }

  /** Sealed statements: the newest proposal of all, because servers cannot have made it up. */
  private static Choice newest(Collection<Told> told) {
    return new Choice(Optional.ofNullable(newestOf(told)).map(Statement::state), false);
  }

  private static @Nullable Statement newestOf(Collection<Told> told) {
    Statement newest = null;
    for (Told one : told) {
      for (Optional<Statement> said : List.of(one.proposed(), one.committed())) {
        if (said.isPresent() && (newest == null || said.get().isNewerThan(newest))) {
          newest = said.get();
        }
      }
    }
    return newest;
  }

  /** Plain and sealed ranks: what enough servers report that one of them must be correct. */
  private static Optional<Choice> vouched(Thresholds thresholds, Collection<Told> told) {
    Optional<StateId> committed = highestCommitted(thresholds, told);
    long committedVersion = committed.map(StateId::version).orElse(0L);
    long completed = completed(thresholds, told);
    if (committedVersion > completed) {
      return Optional.of(new Choice(committed, true));
    }
    Optional<StateId> proposed = newestProposed(thresholds, told);
    if (proposed.isPresent() && proposed.get().version() > completed) {
      return Optional.of(new Choice(proposed, true));
    }
    return committedVersion == completed
        ? Optional.of(new Choice(committed, false))
        : Optional.empty();
  }

  private static Optional<StateId> highestCommitted(Thresholds thresholds, Collection<Told> told) {
    Map<StateId, Integer> votes = new HashMap<>();
    for (Told one : told) {
      one.committed().ifPresent(said -> votes.merge(said.state(), 1, Integer::sum));
    }
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() >= thresholds.vouchers())
        .map(Map.Entry::getKey)
        .max(Comparator.comparingLong(StateId::version));
  }

  /** The version before one that a correct server saw proposed: it was committed then. */
  private static long completed(Thresholds thresholds, Collection<Told> told) {
    return Math.max(0, vouchedVersion(thresholds, told) - 1);
  }

  /** The highest version that one correct server saw proposed. */
  private static long vouchedVersion(Thresholds thresholds, Collection<Told> told) {
    List<Long> versions = new ArrayList<>();
    for (Told one : told) {
      versions.add(one.proposed().map(said -> said.state().version()).orElse(0L));
    }
    versions.sort(Comparator.reverseOrder());
    int index = thresholds.vouchers() - 1;
    return index < versions.size() ? versions.get(index) : 0;
  }

  /** Newest first, counting equal states whatever their ranks. */
  private static Optional<StateId> newestProposed(Thresholds thresholds, Collection<Told> told) {
    List<Statement> newestFirst = new ArrayList<>();
    for (Told one : told) {
      one.proposed().ifPresent(newestFirst::add);
    }
    newestFirst.sort(
        Comparator.comparing(Statement::rank)
            .thenComparingLong(said -> said.state().version())
            .reversed());
    Map<StateId, Integer> votes = new HashMap<>();
    for (Statement said : newestFirst) {
      if (votes.merge(said.state(), 1, Integer::sum) >= thresholds.vouchers()) {
        return Optional.of(said.state());
      }
    }
    return Optional.empty();
  }
}
