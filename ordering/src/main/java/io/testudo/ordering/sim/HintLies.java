package io.testudo.ordering.sim;

import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.PrefixChanges;
import io.testudo.ordering.message.WatchPrefix;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.HonestStep;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import java.util.List;

/** What a liar can say to those who watch for objects: that some came, changed or went. */
final class HintLies {
  private static final long LATER_NANOS = 30_000_000;

  private HintLies() {}

  static List<OutgoingMessage> of(ByzantineKind kind, HonestStep step, StrategyContext context) {
    boolean lies =
        switch (kind) {
          case ALWAYS_FREE, ALWAYS_LOCKED, INVENT, EARLY_COMMIT, WILD_NUMBER -> true;
          default -> false;
        };
    if (!lies || !(step.cause() instanceof Input.Received<ClientId> received)) {
      return List.of();
    }
    if (received.message() instanceof WatchPrefix watch) {
      PrefixChanges changes =
          new PrefixChanges(
              watch.prefix(),
              kind == ByzantineKind.WILD_NUMBER ? Long.MAX_VALUE : watch.after() + 1,
              kind == ByzantineKind.ALWAYS_LOCKED,
              items(kind, watch.prefix(), context));
      return List.of(
          new OutgoingMessage(received.from(), changes, 0),
          new OutgoingMessage(received.from(), changes, LATER_NANOS));
    }
    if (received.message() instanceof ListObjects list && list.ofCommits()) {
      return List.of(
          new OutgoingMessage(
              received.from(),
              new ObjectList(
                  list.nonce(), items(kind, list.prefix(), context), kind == ByzantineKind.INVENT),
              0));
    }
    return List.of();
  }

  /** Of the ledger, a version that is near, gone or there; and one that nobody made. */
  private static List<ObjectList.Item> items(
      ByzantineKind kind, String prefix, StrategyContext context) {
    long version =
        kind == ByzantineKind.WILD_NUMBER ? Long.MAX_VALUE : 1 + context.entropy().nextInt(40);
    boolean isGone = kind != ByzantineKind.EARLY_COMMIT;
    return List.of(
        new ObjectList.Item(prefix + "ger", version, isGone ? 0 : 100, 77, isGone),
        new ObjectList.Item(prefix + context.entropy().nextInt(5), version));
  }
}
