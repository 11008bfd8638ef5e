package io.testudo.ordering.client;

import io.testudo.ordering.client.Ballot.Phase;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Changed;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.protocol.Message;
import org.jspecify.annotations.Nullable;

/** Which messages of servers a client would count now; for whoever checks that lies get so far. */
final class Expectations {
  private final ClientCore core;
  private final Notices notices;

  Expectations(ClientCore core, Notices notices) {
    this.core = core;
    this.notices = notices;
  }

  /** Whether it would be counted: as a vote, a refusal, a result, or as operations to be done. */
  boolean heeds(Message message) {
    if (message instanceof Included said) {
      ClientObject<?> object = core.objects.get(said.object());
      return object != null && object.work.own().containsKey(said.id());
    } else if (message instanceof Answered said) {
      ClientObject<?> object = core.objects.get(said.object());
      return object != null && object.work.own().containsKey(said.id());
    } else if (message instanceof Relayed relayed) {
      return orders(relayed.object(), relayed.rank());
    } else if (message instanceof Accepted said) {
      return orders(said.object(), said.rank());
    } else if (message instanceof Superseded refusal) {
      return orders(refusal.object(), refusal.asked());
    } else if (message instanceof Busy busy) {
      Ballot ballot = ballot(busy.object());
      return orders(busy.object(), busy.asked()) && ballot != null && ballot.phase == Phase.GETTING;
    } else if (message instanceof Unattended unattended) {
      ClientObject<?> object = core.objects.get(unattended.object());
      return object != null && object.turn.follows;
    } else if (message instanceof Changed changed) {
      return notices.heeds(changed);
    }
    return false;
  }

  private @Nullable Ballot ballot(String name) {
    ClientObject<?> object = core.objects.get(name);
    return object == null ? null : object.ballot;
  }

  private boolean orders(String name, Rank rank) {
    Ballot ballot = ballot(name);
    return ballot != null && ballot.rank.equals(rank);
  }
}
