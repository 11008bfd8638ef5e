package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** Lies about what the server says, to whom, when and how often. */
final class MessageStrategies {
  private static final long MILLI = 1_000_000L;
  private static final int MAX_VARIANTS = 800;
  private static final long TOPIC_VICTIM = 25;
  private static final long LEAST_CLIENTS = 3;
  private static final long SECOND = 1_000 * MILLI;

  private static final List<ByzantineKind> KINDS = List.copyOf(ByzantineKind.ordinary());

  private MessageStrategies() {}

  private static ByzantineStrategy speaking(
      BiFunction<HonestStep, StrategyContext, List<OutgoingMessage>> say) {
    return new ByzantineStrategy() {
      @Override
      public List<OutgoingMessage> say(HonestStep step, StrategyContext context) {
        return say.apply(step, context);
      }
    };
  }

  private static ByzantineStrategy saying(
      BiFunction<OutgoingMessage, StrategyContext, List<OutgoingMessage>> say) {
    return speaking(
        (step, context) ->
            step.meant().stream().flatMap(meant -> say.apply(meant, context).stream()).toList());
  }

  /** Forges always, or now and then: a liar that is honest at times is harder to find. */
  static ByzantineStrategy forged(ByzantineKind kind, Entropy entropy) {
    double share = entropy.chance(0.5) ? 1 : 0.5;
    return speaking(
        (step, context) ->
            share < 1 && !context.entropy().chance(share)
                ? step.meant()
                : context.forger().forge(kind, step, context));
  }

  static ByzantineStrategy silent() {
    return saying((meant, context) -> List.of());
  }

  static ByzantineStrategy silentToSome(Entropy entropy) {
    int part = entropy.nextInt(3);
    return saying((meant, context) -> isOfPart(meant.to(), part) ? List.of() : List.of(meant));
  }

  private static boolean isOfPart(ClientId client, int part) {
    return Math.floorMod(client.principal().hashCode(), 3) == part;
  }

  static ByzantineStrategy slow() {
    return saying(
        (meant, context) -> List.of(meant.later(context.entropy().nextLong(400 * MILLI))));
  }

  /**
   * Is honest about some kinds of message; of others it answers late, or only who asks again. So a
   * quorum that counts on it has to be widened, in any phase of a protocol, and it is back by then.
   */
  static ByzantineStrategy letDown(Entropy entropy) {
    int salt = entropy.nextInt(1 << 16);
    Set<Input<ClientId>> heard = new HashSet<>();
    return speaking(
        (step, context) -> {
          if (!(step.cause() instanceof Input.Received<ClientId> received)) {
            return step.meant();
          }
          int kind = received.message().getClass().getSimpleName().hashCode() + salt;
          boolean isAgain = !heard.add(received);
          return switch (Math.floorMod(kind, 3)) {
            case 0 -> step.meant();
            case 1 -> isAgain ? step.meant() : List.of();
            default -> {
              long late = context.entropy().nextLong(80 * MILLI);
              yield step.meant().stream().map(meant -> meant.later(late)).toList();
            }
          };
        });
  }

  static ByzantineStrategy trickle() {
    return saying(
        (meant, context) -> List.of(meant.later((20 + context.entropy().nextLong(40)) * SECOND)));
  }

  static ByzantineStrategy replay() {
    return saying(
        (meant, context) -> {
          List<OutgoingMessage> past = context.past();
          if (past.isEmpty() || context.entropy().chance(0.3)) {
            return List.of(meant);
          }
          OutgoingMessage old = past.get(context.entropy().nextInt(past.size()));
          OutgoingMessage misdirected = old.to(meant.to());
          return context.entropy().chance(0.5) ? List.of(misdirected) : List.of(misdirected, meant);
        });
  }

  /** What it means, and to one client many things that are almost the same and often long. */
  static ByzantineStrategy variants(Entropy entropy) {
    int copies = 4 + entropy.nextInt(30);
    int[] left = {MAX_VARIANTS};
    return speaking(
        (step, context) -> {
          List<OutgoingMessage> said = new ArrayList<>();
          for (OutgoingMessage meant : step.meant()) {
            boolean isVictim =
                meant.to().principal().equals("c" + context.agreed(TOPIC_VICTIM, LEAST_CLIENTS));
            for (int i = 0; isVictim && i < copies && left[0] > 0; i++) {
              left[0]--;
              context
                  .variants()
                  .longVariantOf(meant.message())
                  .map(meant::saying)
                  .ifPresent(said::add);
            }
            said.add(meant);
          }
          return said;
        });
  }

  static ByzantineStrategy flood(Entropy entropy) {
    int copies = 2 + entropy.nextInt(6);
    return speaking(
        (step, context) -> {
          List<OutgoingMessage> said = new ArrayList<>();
          // Many answers to one question, but none to what asks for none.
          for (int i = 0; i < copies && !step.meant().isEmpty(); i++) {
            ByzantineKind kind = KINDS.get(context.entropy().nextInt(KINDS.size()));
            for (OutgoingMessage one : context.forger().forge(kind, step, context)) {
              said.add(one.later(context.entropy().nextLong(MILLI)));
            }
          }
          return said;
        });
  }
}
