package io.testudo.ordering.protocol;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.testudo.crypto.Digest;
import io.testudo.ordering.protocol.proto.BaseBody;
import io.testudo.ordering.protocol.proto.EntryBody;
import java.util.List;
import java.util.Optional;

/**
 * An object at one version, as a client has it.
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

  /** Reads a base; nothing if it is not one of this type of object. */
  static <S> Optional<Replica<S>> of(ObjectModel<S> model, Base base) {
    try {
      BaseBody body = BaseBody.parseFrom(base.body());
      return Optional.of(
          new Replica<>(
              model, base.state(), model.decode(body.getState()), Sessions.readFrom(body)));
    } catch (InvalidProtocolBufferException | RuntimeException e) {
      return Optional.empty();
    }
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

  Replica<S> copy() {
    return new Replica<>(model, at, state, sessions.copy());
  }

  /** Goes on by one entry. Its own link is verified by whoever has it in a history. */
  void replay(Entry entry) throws InvalidProtocolBufferException {
    EntryBody body = EntryBody.parseFrom(entry.body());
    S after = state;
    for (EntryBody.Done done : body.getDoneList()) {
      after = model.replay(after, done.getEffect());
    }
    for (EntryBody.Done done : body.getDoneList()) {
      sessions.done(done, entry.version());
    }
    state = after;
    at = entry.state();
  }

  /**
   * Applies those operations that are next in their sessions, and goes on by the entry that they
   * make. Several operations of one session must come in their order.
   *
   * @param baseDigest of this version as a whole, if it is to become a base
   * @return nothing if there is none to apply
   */
  Optional<Entry> extend(List<Operation> operations, int maxBytes, Optional<Digest> baseDigest) {
    EntryBody.Builder body = EntryBody.newBuilder();
    long version = at.version() + 1;
    S after = state;
    int bytes = 0;
    for (Operation operation : operations) {
      if (bytes > maxBytes
          || !sessions.isNext(operation.id())
          || !model.canApply(after, operation.body())) {
        continue;
      }
      ObjectModel.Change<S> change = model.apply(after, operation.body());
      after = change.after();
      EntryBody.Done done =
          EntryBody.Done.newBuilder()
              .setSession(operation.id().session())
              .setSequence(operation.id().sequence())
              .setFloor(operation.floor())
              .setResult(change.result())
              .setEffect(change.effect())
              .build();
      sessions.done(done, version);
      body.addDone(done);
      bytes += done.getSerializedSize();
    }
    if (body.getDoneCount() == 0) {
      return Optional.empty();
    }
    baseDigest.ifPresent(digest -> body.setBaseDigest(ByteString.copyFrom(digest.toByteArray())));
    Entry entry = new Entry(version, at.link(), body.build().toByteString());
    state = after;
    at = entry.state();
    return Optional.of(entry);
  }

  /** This version as a whole. */
  ByteString encode() {
    BaseBody.Builder body = BaseBody.newBuilder().setState(model.encode(state));
    sessions.writeTo(body);
    return body.build().toByteString();
  }
}
