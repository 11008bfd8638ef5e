package io.testudo.ordering.client;

import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import java.util.List;
import java.util.function.Consumer;

/** The part of the client machine that hears what servers do not let it do. */
final class RightRefusals extends Part<ServerId> {
  private final ClientCore core;
  private final TurnTaker turns;
  private final Orderer orderer;
  private final Reader reader;
  private final Consumer<ClientObject<?>> readAgain;
  private final NameNotices names;

  RightRefusals(
      ClientCore core,
      TurnTaker turns,
      Orderer orderer,
      Reader reader,
      Consumer<ClientObject<?>> readAgain,
      NameNotices names) {
    super(core);
    this.core = core;
    this.turns = turns;
    this.orderer = orderer;
    this.reader = reader;
    this.readAgain = readAgain;
    this.names = names;
    onMessage(NoRight.class, this::onNoRight);
  }

  /** One server's word is nothing: those that lie would end every call. */
  private void onNoRight(ServerId from, NoRight refusal) {
    if (refusal.right() == Right.READ) {
      names.refused(from, refusal.name());
    }
    ClientObject<?> object = core.objects.get(refusal.name());
    if (object == null || isLate(object, refusal.right())) {
      return;
    }
    if (refusal.sealsOtherwise()) {
      object.otherSeals = object.otherSeals.with(from);
    }
    ServerSet refusing =
        object.refusals.merge(refusal.right(), ServerSet.of(from), ServerSet::union);
    if (refusing.size() <= core.thresholds.faults()) {
      return;
    }
    if (refusal.right() == Right.READ) {
      object.refusals.remove(Right.READ); // Rights may change: the next call asks again.
      failReaders(object, Right.READ);
    } else if (refusal.right() == Right.ORDER) {
      if (object.ballot != null) {
        leaveToOthers(object);
      }
      giveUpRefused(object);
    }
    boolean isSealedWrong = object.otherSeals.size() > core.thresholds.faults();
    if (isSealedWrong || (isRefused(object, Right.SUBMIT) && isRefused(object, Right.ORDER))) {
      object.refusals.clear();
      object.otherSeals = ServerSet.none();
      failOwn(object, isSealedWrong);
    }
  }

  /** The call that it refused has ended, and it must not speak against the next. */
  private static boolean isLate(ClientObject<?> object, Right right) {
    return right == Right.READ
        ? !object.anybodyReads()
        : object.work.own().isEmpty() && object.ballot == null;
  }

  private boolean isRefused(ClientObject<?> object, Right right) {
    return object.refusals.getOrDefault(right, ServerSet.none()).size() > core.thresholds.faults();
  }

  /** We may not order: others do our operations, and we read what they have finished. */
  private void leaveToOthers(ClientObject<?> object) {
    orderer.sender().endBallot(object);
    object.turn.introduced = ServerSet.none(); // Their gates refused it: they never heard of us.
    turns.giveBack(object);
    readAgain.accept(object);
    turns.follow(object);
  }

  /**
   * Others do not order for us what ends an object. What is behind such an operation cannot happen
   * without it; while others wait before it, it stays, since numbers have no gaps.
   */
  private void giveUpRefused(ClientObject<?> object) {
    boolean isRefused = false;
    boolean isFirst = true;
    for (OwnOperation mine : List.copyOf(object.work.own().values())) {
      isRefused |= mine.operation.right() == Right.ORDER;
      isFirst &= isRefused;
      if (isFirst) {
        core.giveUpRefused(object, mine);
      }
    }
    if (isFirst && isRefused) {
      object.refusals.remove(Right.ORDER); // Rights may change: the next one is refused anew.
      orderer.goOn(object);
    }
  }

  private void failReaders(ClientObject<?> object, Right right) {
    for (List<CallId<ReadResult>> readers : object.allReaders()) {
      for (CallId<ReadResult> reader : List.copyOf(readers)) {
        core.endCall(object, reader);
        object.questions.remove(reader.number());
        fail(reader, new NotAllowedException(object.name, right, Outcome.DID_NOT_HAPPEN));
      }
      readers.clear();
    }
    reader.endFastRead(object);
  }

  /** Servers that do not refuse may have taken them: nobody knows whether they happen. */
  private void failOwn(ClientObject<?> object, boolean isSealedWrong) {
    for (OwnOperation mine : object.work.own().values()) {
      if (mine.wanted) {
        mine.wanted = false;
        core.endCall(object, mine.call);
        fail(
            mine.call,
            isSealedWrong
                ? NotAllowedException.sealsOtherwise(object.name, Right.SUBMIT, Outcome.UNKNOWN)
                : new NotAllowedException(object.name, Right.SUBMIT, Outcome.UNKNOWN));
      }
    }
  }
}
