package io.testudo.ordering.client;

import io.testudo.crypto.SealKind;
import io.testudo.ordering.message.Submit;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of the client machine that hands its operations to servers, for others to order. They
 * have to come to servers that know who orders, and all whom that one asks have to know where to
 * reach us: only if a quorum of them tells us what they accepted do we know what came of it.
 */
final class OperationSubmitter extends Part<ServerId> {
  private final ClientCore core;

  OperationSubmitter(ClientCore core) {
    super(core);
    this.core = core;
  }

  /** Hands over what no server has yet. */
  void submitNew(ClientObject<?> object) {
    for (OwnOperation mine : object.work.own().values()) {
      if (mine.submittedNanos == OwnOperation.NEVER) {
        submit(object, mine);
      }
    }
  }

  /** Hands over everything, and to all what was handed over before. */
  void submitAgain(ClientObject<?> object) {
    for (OwnOperation mine : object.work.own().values()) {
      mine.wasSubmittedAgain = mine.submittedNanos != OwnOperation.NEVER;
      submit(object, mine);
    }
  }

  /**
   * Hands an operation over. Where it proves itself, so many that one of them is correct are enough
   * at first, if all know us: who may order has asked or told them something before.
   */
  void submit(ClientObject<?> object, OwnOperation mine) {
    boolean isFirst = mine.submittedNanos == OwnOperation.NEVER;
    boolean provesItself = core.mode.sealsStatements();
    if (!isFirst || (provesItself && !isIntroduced(object))) {
      submitTo(object, mine, core.everyone);
      return;
    }
    ServerSet asked = core.askedFirst(object); // By whoever orders, too: others do not know it.
    boolean mayOrder = provesItself && core.seals.canSeal(SealKind.TURN, object.name);
    submitTo(object, mine, mayOrder ? someOf(asked) : asked);
  }

  /**
   * Hands over what has not come to enough of those that know who orders. Whoever orders may ask
   * another quorum than ours, or a quorum where we ask all: then others never hear of it.
   */
  void submitWhereKnown(ClientObject<?> object, ServerSet knowing) {
    if (!core.mode.sealsStatements()) {
      return; // It is at a quorum, which shares enough servers with theirs.
    }
    boolean someWillDo = knowing.size() > core.thresholds.faults() && isIntroduced(object);
    for (OwnOperation mine : object.work.own().values()) {
      if (mine.submittedTo.intersect(knowing).size() <= core.thresholds.faults()) {
        submitTo(object, mine, someWillDo ? someOf(knowing) : core.everyone);
      }
    }
  }

  /** Hands over everywhere what a server has that does not know who orders; once. */
  void submitBeside(ClientObject<?> object, ServerId unattended) {
    for (OwnOperation mine : object.work.own().values()) {
      if (mine.submittedTo.contains(unattended) && !mine.submittedTo.equals(core.everyone)) {
        submitTo(object, mine, core.everyone);
      }
    }
  }

  /** Whether all servers know where to reach us. */
  private boolean isIntroduced(ClientObject<?> object) {
    return object.turn.introduced.equals(core.everyone);
  }

  private void submitTo(ClientObject<?> object, OwnOperation mine, ServerSet servers) {
    if (core.mode.sealsStatements() && mine.operation.seal().isEmpty()) {
      mine.operation = core.seals.seal(object.name, mine.operation);
    }
    if (mine.submittedNanos == OwnOperation.NEVER) {
      mine.submittedNanos = now().nanos();
    }
    mine.submittedTo = mine.submittedTo.union(servers);
    object.turn.introduced = object.turn.introduced.union(servers);
    sendAll(servers, new Submit(object.name, mine.operation));
  }

  /** So many that one of them is correct, not always the same. */
  private ServerSet someOf(ServerSet servers) {
    List<ServerId> all = new ArrayList<>();
    servers.forEach(all::add);
    int from = Math.floorMod(core.entropy.nextLong(), all.size());
    ServerSet some = ServerSet.none();
    for (int i = 0; i <= core.thresholds.faults(); i++) {
      some = some.with(all.get((from + i) % all.size()));
    }
    return some;
  }
}
