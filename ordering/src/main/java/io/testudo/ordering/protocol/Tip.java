package io.testudo.ordering.protocol;

import com.google.common.base.Strings;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.testudo.crypto.Digest;
import io.testudo.ordering.protocol.proto.BaseBody;
import io.testudo.ordering.protocol.proto.EntryBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object as it would be if what is being proposed were chosen: what lies ahead of a {@link
 * Replica}. It is dropped, or the replica follows it.
 *
 * @param <S> its state
 */
final class Tip<S> {
  /** An operation whose result and effect together are longer is refused. */
  static final int MAX_DONE_BYTES = 3 << 19;

  private static final int MAX_REASON_CHARS = 1_000;

  private final Replica<S> ground;
  private StateId at;
  private S state;
  private final List<Step> done = new ArrayList<>();
  private final Map<Long, Long> executed = new HashMap<>();
  private final Map<OpId, Sessions.Outcome> outcomes = new HashMap<>();

  /** What an operation did, and the version that contains it. */
  record Step(EntryBody.Done done, long version) {}

  Tip(Replica<S> ground) {
    this.ground = ground;
    this.at = ground.at();
    this.state = ground.state();
  }

  StateId at() {
    return at;
  }

  S state() {
    return state;
  }

  List<Step> done() {
    return done;
  }

  private boolean isNext(OpId id) {
    Long ahead = executed.get(id.session());
    return ahead == null ? ground.sessions().isNext(id) : id.sequence() == ahead + 1;
  }

  Sessions.@Nullable Outcome outcome(OpId id) {
    Sessions.Outcome ahead = outcomes.get(id);
    return ahead != null ? ahead : ground.sessions().outcome(id);
  }

  /** Goes on by entries; false if one makes no sense, and then this tip is of no more use. */
  boolean replay(List<Entry> entries) {
    try {
      for (Entry entry : entries) {
        for (EntryBody.Done one : EntryBody.parseFrom(entry.body()).getDoneList()) {
          if (!one.getRefused()) {
            state = ground.model().replay(state, one.getEffect());
          }
          note(one, entry.version());
        }
        at = entry.state();
      }
      return true;
    } catch (InvalidProtocolBufferException | RuntimeException e) {
      return false;
    }
  }

  private void note(EntryBody.Done one, long version) {
    OpId id = new OpId(one.getSession(), one.getSequence());
    done.add(new Step(one, version));
    executed.put(id.session(), id.sequence());
    outcomes.put(id, Sessions.Outcome.of(one, version));
  }

  /**
   * Applies those operations that are next in their sessions, and goes on by the entry that they
   * make. Several operations of one session must come in their order.
   *
   * @param baseDigest of this version as a whole, if it is to become a base
   * @param room how many bytes the state may grow by
   * @return nothing if there is none to apply
   */
  Optional<Entry> extend(
      List<Operation> operations, int maxBytes, Optional<Digest> baseDigest, Room<S> room) {
    EntryBody.Builder body = EntryBody.newBuilder();
    long version = at.version() + 1;
    int bytes = 0;
    for (Operation operation : operations) {
      if (bytes > maxBytes) {
        break;
      }
      if (isNext(operation.id()) && ground.model().knows(operation.body())) {
        EntryBody.Done one = apply(operation, room);
        note(one, version);
        body.addDone(one);
        bytes += one.getSerializedSize();
      }
    }
    if (body.getDoneCount() == 0) {
      return Optional.empty();
    }
    baseDigest.ifPresent(digest -> body.setBaseDigest(ByteString.copyFrom(digest.toByteArray())));
    Entry entry = new Entry(version, at.link(), body.build().toByteString());
    at = entry.state();
    return Optional.of(entry);
  }

  /** Says whether a state that came about by so many more bytes may be. */
  interface Room<S> {
    boolean isThereFor(S after, int moreBytes);
  }

  private EntryBody.Done apply(Operation operation, Room<S> room) {
    EntryBody.Done.Builder one =
        EntryBody.Done.newBuilder()
            .setSession(operation.id().session())
            .setSequence(operation.id().sequence())
            .setFloor(operation.floor());
    try {
      ObjectModel.Change<S> change = ground.model().apply(state, operation.body());
      int bytes = change.result().size() + change.effect().size();
      if (bytes > MAX_DONE_BYTES) {
        return refused(one, "its result and effect have " + bytes + " bytes, which is too long");
      }
      if (!room.isThereFor(change.after(), bytes)) {
        return refused(
            one, "the object would become larger than " + Base.MAX_BODY_BYTES + " bytes");
      }
      state = change.after();
      return one.setResult(change.result()).setEffect(change.effect()).build();
    } catch (RuntimeException e) {
      return refused(one, Strings.nullToEmpty(e.getMessage()));
    }
  }

  private static EntryBody.Done refused(EntryBody.Done.Builder one, String reason) {
    int length = Math.min(reason.length(), MAX_REASON_CHARS);
    return one.setRefused(true)
        .setResult(ByteString.copyFromUtf8(reason.substring(0, length)))
        .build();
  }

  /** This version as a whole; the tip must be where its ground is. */
  ByteString encode() {
    return encode(state);
  }

  ByteString encode(S any) {
    BaseBody.Builder body = BaseBody.newBuilder().setState(ground.model().encode(any));
    ground.sessions().writeTo(body);
    return body.build().toByteString();
  }
}
