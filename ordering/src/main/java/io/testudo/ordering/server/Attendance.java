package io.testudo.ordering.server;

import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Expired;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Unattended;
import io.testudo.ordering.server.ServedObject.Contained;
import io.testudo.ordering.server.ServedObject.Finished;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of the server machine that speaks for those who wait: to whoever has the tenure of an
 * object it passes on what they want done, and to them what came of it.
 */
final class Attendance extends Part<ClientId> {
  /** As many of those who wait are told that nobody orders any more. */
  private static final int MOST_CALLED = 64;

  /** Operations have come in that the holder of the tenure does not know of. */
  private record Relay(String object) implements TimerKey {}

  private final ServedObjects objects;
  private final ServerMemory memory;
  private final long courtesyNanos;
  private final Submitters submitters = new Submitters();

  Attendance(
      Part<ClientId> server, ServedObjects objects, ServerMemory memory, long courtesyNanos) {
    super(server);
    this.objects = objects;
    this.memory = memory;
    this.courtesyNanos = courtesyNanos;
    onMessage(EndTenure.class, this::onEndTenure);
    onTimer(Relay.class, this::onRelay);
  }

  /** Who orders an object; null if nobody does, as far as is known. */
  @Nullable ClientId holder(ServedObject object) {
    return object.tenure.holder(now().nanos(), courtesyNanos);
  }

  /** Whether another client orders an object. */
  boolean isHeldBeside(ServedObject object, ClientId client) {
    ClientId holder = holder(object);
    return holder != null && !holder.equals(client);
  }

  /** A client wants something done, now or soon. */
  void heard(ServedObject object, long session, ClientId client) {
    submitters.heard(object.name, session, client);
  }

  /** An operation waits that the holder of the tenure does not know of. */
  void waits(ServedObject object, ClientId submitter) {
    if (holder(object) == null) {
      send(submitter, new Unattended(object.name));
    } else {
      setTimer(new Relay(object.name), 0); // What comes at once goes on at once.
    }
  }

  private void onRelay(Relay relay) {
    ServedObject object = objects.get(relay.object());
    ClientId holder = object == null ? null : holder(object);
    if (object == null || holder == null || !object.pending.hasNews()) {
      return;
    }
    send(holder, new Relayed(object.name, object.rank, object.pending.reportNews()));
    if (object.pending.hasNews()) {
      setTimer(relay, 0);
    }
  }

  private void onEndTenure(ClientId from, EndTenure ended) {
    ServedObject object = objects.get(ended.object());
    if (object != null && object.rank.equals(ended.rank()) && from.equals(holder(object))) {
      object.tenure.end();
      for (ClientId waiting : object.pending.submitters(MOST_CALLED)) {
        if (!waiting.equals(from)) {
          send(waiting, new Unattended(object.name));
        }
      }
    }
  }

  /** What a quorum has accepted is chosen, and whoever waits for it may count that, too. */
  void accepted(ServedObject object, Rank rank, List<Contained> contained) {
    for (Contained one : contained) {
      OpId id = one.done().id();
      ClientId submitter =
          id.session() == rank.session() ? null : submitters.of(object.name, id.session());
      if (submitter != null && memory.allows(submitter, one.done().result().size())) {
        object.pending.told(id);
        send(submitter, new Included(object.name, id, rank, one.state(), one.done().result()));
      }
    }
  }

  /** Tells a submitter what a commit says of its operation. */
  void answer(ServedObject object, Finished done) {
    Sessions.Outcome outcome = done.outcome();
    if (outcome == null) {
      send(done.submitter(), new Expired(object.name, done.id(), object.expiredUpTo()));
    } else if (memory.allows(done.submitter(), outcome.result().map(Bytes::size).orElse(0))) {
      send(
          done.submitter(),
          new Answered(object.name, done.id(), outcome.version(), outcome.result()));
    }
  }
}
