package io.testudo.ordering.access;

import io.testudo.crypto.Digest;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.Machine;
import java.util.List;
import java.util.Optional;

/** A server machine that answers everything at once, and wrongly. */
final class LyingServer extends Machine<ClientId> {
  LyingServer() {
    onMessage(Submit.class, this::onSubmit);
    onMessage(Get.class, this::onGet);
    onMessage(Propose.class, this::onPropose);
  }

  private void onSubmit(ClientId from, Submit submit) {
    send(from, new NoRight(Right.SUBMIT, submit.object()));
    send(
        from,
        new Answered(
            submit.object(),
            submit.operation().id(),
            77,
            Optional.of(Bytes.copyOf(new byte[] {0, 84}))));
  }

  private void onGet(ClientId from, Get get) {
    for (Right right : Right.values()) {
      send(from, new NoRight(right, get.object()));
    }
    if (!get.rank().equals(Rank.NONE)) {
      Rank wild = new Rank(RankClock.MAX_TIME, 1);
      send(from, new Superseded(get.object(), get.rank(), wild, get.seal()));
    }
    StateId invented = new StateId(1_000, Digest.of(new byte[] {6}));
    Optional<Statement> statement =
        Optional.of(new Statement(new Rank(RankClock.MAX_TIME - 1, 7), invented, get.seal()));
    send(from, new Report(get.object(), get.nonce(), statement, statement, List.of(), List.of()));
  }

  private void onPropose(ClientId from, Propose propose) {
    send(
        from,
        new Accepted(
            propose.object(),
            propose.proposal().rank(),
            propose.proposal().state().version(),
            Accepted.Stage.PROPOSED,
            List.of()));
    send(from, new NoRight(Right.ORDER, propose.object()));
  }
}
