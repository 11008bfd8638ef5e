package io.testudo.quorum.sim.liar;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** Lies about what the server says, to whom, when and how often. */
final class Tongues {
  private static final long MILLI = 1_000_000L;
  private static final int MAX_VARIANTS = 800;
  private static final long TOPIC_VICTIM = 25;
  private static final long LEAST_CLIENTS = 3;
  private static final long SECOND = 1_000 * MILLI;

  private static final List<LieKind> KINDS =
      Arrays.stream(LieKind.values()).filter(kind -> !kind.isForHazards()).toList();

  private Tongues() {}

  private static Lie speaking(BiFunction<Occasion, LiarDesk, List<Utterance>> say) {
    return new Lie() {
      @Override
      public List<Utterance> say(Occasion occasion, LiarDesk desk) {
        return say.apply(occasion, desk);
      }
    };
  }

  private static Lie saying(BiFunction<Utterance, LiarDesk, List<Utterance>> say) {
    return speaking(
        (occasion, desk) ->
            occasion.meant().stream().flatMap(meant -> say.apply(meant, desk).stream()).toList());
  }

  /** Forges always, or now and then: a liar that is honest at times is harder to find. */
  static Lie forged(LieKind kind, Entropy entropy) {
    double share = entropy.chance(0.5) ? 1 : 0.5;
    return speaking(
        (occasion, desk) ->
            share < 1 && !desk.entropy().chance(share)
                ? occasion.meant()
                : desk.forger().forge(kind, occasion, desk));
  }

  static Lie silent() {
    return saying((meant, desk) -> List.of());
  }

  static Lie silentToSome(Entropy entropy) {
    int part = entropy.nextInt(3);
    return saying((meant, desk) -> isOfPart(meant.to(), part) ? List.of() : List.of(meant));
  }

  private static boolean isOfPart(ClientId client, int part) {
    return Math.floorMod(client.principal().hashCode(), 3) == part;
  }

  static Lie slow() {
    return saying((meant, desk) -> List.of(meant.later(desk.entropy().nextLong(400 * MILLI))));
  }

  static Lie trickle() {
    return saying(
        (meant, desk) -> List.of(meant.later((20 + desk.entropy().nextLong(40)) * SECOND)));
  }

  static Lie replay() {
    return saying(
        (meant, desk) -> {
          List<Utterance> past = desk.past();
          if (past.isEmpty() || desk.entropy().chance(0.3)) {
            return List.of(meant);
          }
          Utterance old = past.get(desk.entropy().nextInt(past.size()));
          Utterance misdirected = old.to(meant.to());
          return desk.entropy().chance(0.5) ? List.of(misdirected) : List.of(misdirected, meant);
        });
  }

  /** What it means, and to one client many things that are almost the same and often long. */
  static Lie variants(Entropy entropy) {
    int copies = 4 + entropy.nextInt(30);
    int[] left = {MAX_VARIANTS};
    return speaking(
        (occasion, desk) -> {
          List<Utterance> said = new ArrayList<>();
          for (Utterance meant : occasion.meant()) {
            boolean isVictim =
                meant.to().principal().equals("c" + desk.plotted(TOPIC_VICTIM, LEAST_CLIENTS));
            for (int i = 0; isVictim && i < copies && left[0] > 0; i++) {
              left[0]--;
              desk.variants()
                  .longVariantOf(meant.message())
                  .map(meant::saying)
                  .ifPresent(said::add);
            }
            said.add(meant);
          }
          return said;
        });
  }

  static Lie flood(Entropy entropy) {
    int copies = 2 + entropy.nextInt(6);
    return speaking(
        (occasion, desk) -> {
          List<Utterance> said = new ArrayList<>();
          // Many answers to one question, but none to what asks for none.
          for (int i = 0; i < copies && !occasion.meant().isEmpty(); i++) {
            LieKind kind = KINDS.get(desk.entropy().nextInt(KINDS.size()));
            for (Utterance one : desk.forger().forge(kind, occasion, desk)) {
              said.add(one.later(desk.entropy().nextLong(MILLI)));
            }
          }
          return said;
        });
  }
}
