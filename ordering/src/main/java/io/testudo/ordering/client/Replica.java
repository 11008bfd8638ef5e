package io.testudo.ordering.client;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.SnapshotBody;
import io.testudo.ordering.log.StateId;
import java.util.List;
import java.util.Optional;

/**
 * An object at the last version that is known to be chosen, as a client has it.
 *
 * @param <S> its state
 */
final class Replica<S> {
  private final ObjectModel<S> model;
  private StateId at;
  private S state;
  private Sessions sessions;

  private Replica(ObjectModel<S> model, StateId at, S state, Sessions sessions) {
    this.model = model;
    this.at = at;
    this.state = state;
    this.sessions = sessions;
  }

  static <S> Replica<S> initial(ObjectModel<S> model, String object) {
    return new Replica<>(model, StateId.genesis(object), model.initial(), new Sessions());
  }

  /** Reads a snapshot; nothing if it is not one of this type of object. */
  static <S> Optional<Replica<S>> of(ObjectModel<S> model, LogSnapshot snapshot) {
    try {
      SnapshotBody body = SnapshotBody.read(snapshot.body());
      return Optional.of(
          new Replica<>(
              model,
              snapshot.state(),
              body.isAbsent() ? model.absent() : model.decode(body.state()),
              Sessions.readFrom(body)));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  ObjectModel<S> model() {
    return model;
  }

  StateId at() {
    return at;
  }

  S state() {
    return state;
  }

  Sessions sessions() {
    return sessions;
  }

  /** Goes on to a version that a tip has passed. */
  void follow(List<Tip.Step> steps, StateId reached, S after) {
    steps.forEach(step -> sessions.done(step.done(), step.version()));
    at = reached;
    state = after;
  }

  /**
   * Goes on by entries that are known to be chosen. Their links are verified by whoever has them in
   * a history.
   *
   * @return false if one of them makes no sense to the model; then nothing changes
   */
  boolean replay(List<Entry> entries) {
    Tip<S> tip = new Tip<>(this);
    if (!tip.replay(entries)) {
      return false;
    }
    if (!entries.isEmpty()) {
      var unused = tip.settle(tip.at());
    }
    return true;
  }
}
