package io.testudo.ordering.sim;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Restore;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What correct machines hand on was said by a correct one first: no rank, proposal, operation,
 * snapshot or answer that a liar made up comes out of a correct mouth. Most of it would do harm
 * much later, or only where liars are many; here it shows at once.
 */
final class HearsayChecker {
  private final String object;
  private final AgreementChecker agreement;
  private final Set<Rank> ranks = new HashSet<>();
  private final Set<StateId> entries = new HashSet<>();
  private final Map<OpId, Bytes> operations = new HashMap<>();
  private final Map<StateId, Bytes> snapshots = new HashMap<>();
  private final Map<OpId, Answered> answers = new HashMap<>();

  HearsayChecker(String object, AgreementChecker agreement) {
    this.object = object;
    this.agreement = agreement;
    ranks.add(Rank.NONE);
  }

  /** A client sends this to some server. */
  void onClientSends(Message message) {
    if (message instanceof Get get && get.object().equals(object)) {
      ranks.add(get.rank());
    } else if (message instanceof Propose propose && propose.object().equals(object)) {
      hold(ranks.contains(propose.proposal().rank()), "a rank without a GET", propose);
      propose.entries().forEach(entry -> entries.add(entry.state()));
    } else if (message instanceof Submit submit && submit.object().equals(object)) {
      operations.putIfAbsent(submit.operation().id(), submit.operation().body());
    } else if (message instanceof InstallSnapshot install && install.object().equals(object)) {
      LogSnapshot snapshot = install.snapshot();
      Bytes known = snapshots.putIfAbsent(snapshot.commit().state(), snapshot.body());
      hold(known == null || known.equals(snapshot.body()), "another whole of one state", snapshot);
    } else if (message instanceof Restore restore && restore.object().equals(object)) {
      hold(agreement.isChosenAt(restore.rank()), "a rank at which nothing was chosen", restore);
    }
  }

  /** A correct server says this. */
  void onServerSends(Message message) {
    if (message instanceof Report report && report.object().equals(object)) {
      report.proposed().ifPresent(agreement::proposed);
      report.committed().ifPresent(agreement::committed);
      pending(report.pending());
      past(report.entries());
    } else if (message instanceof Accepted accepted && accepted.object().equals(object)) {
      pending(accepted.pending());
    } else if (message instanceof Superseded refusal && refusal.object().equals(object)) {
      hold(ranks.contains(refusal.rank()), "a rank that nobody had", refusal);
    } else if (message instanceof Bodies bodies && bodies.object().equals(object)) {
      past(bodies.entries());
      bodies.snapshot().ifPresent(this::snapshot);
    } else if (message instanceof Answered answered && answered.object().equals(object)) {
      answer(answered);
    } else if (message instanceof Included said && said.object().equals(object)) {
      hold(ranks.contains(said.rank()), "a rank that nobody had", said);
      hold(entries.contains(said.state()), "what nobody proposed", said);
      hold(
          agreement.isResult(said.id(), said.state(), said.result()),
          "a result that nobody proposed",
          said);
    } else if (message instanceof Relayed relayed && relayed.object().equals(object)) {
      hold(ranks.contains(relayed.rank()), "a rank that nobody had", relayed);
      pending(relayed.operations());
    } else if (message instanceof Busy busy && busy.object().equals(object)) {
      busy.holder().ifPresent(it -> hold(ranks.contains(it), "a rank that nobody had", busy));
    }
  }

  private void pending(List<SubmittedOperation> some) {
    for (SubmittedOperation one : some) {
      hold(one.body().equals(operations.get(one.id())), "what nobody submitted", one);
    }
  }

  private void past(List<Entry> some) {
    some.forEach(one -> hold(entries.contains(one.state()), "what nobody proposed", one));
  }

  private void snapshot(LogSnapshot snapshot) {
    agreement.committed(snapshot.commit());
    hold(
        snapshot.body().equals(snapshots.get(snapshot.commit().state())),
        "a snapshot that nobody made",
        snapshot);
  }

  private void answer(Answered answered) {
    if (answered.result().isPresent()) {
      Answered known = answers.putIfAbsent(answered.id(), answered);
      hold(known == null || known.equals(answered), "two answers to one operation", answered);
    }
  }

  private static void hold(boolean isSo, String otherwise, Object where) {
    if (!isSo) {
      throw Violation.safety("a correct machine hands on " + otherwise + ": " + where);
    }
  }
}
