package io.testudo.quorum.sim;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.spi.Entropy;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The hazards of one run. They have a chance of their own, so that none changes the others' run.
 */
final class Hazards {
  /** Mixed into the seed: a run without hazards stays what it was. */
  private static final long LABEL = 0x6861_7A61_7264_7321L;

  /** The same for what was added later: it shifts none of the other draws. */
  private static final long DELETES_LABEL = 0x6465_6C65_7465_7321L;

  private static final long GLANCES_LABEL = 0x676C_616E_6365_7321L;

  private static final EnumSet<Hazard> LATER = EnumSet.of(Hazard.DELETES, Hazard.GLANCES);

  private static final double SHARE = 0.25;

  /** Few hazards were chosen to be seen. */
  private static final int FEW = 3;

  private static final double SHARE_OF_FEW = 0.8;

  private final ImmutableSet<Hazard> drawn;
  private final boolean isOtherwiseQuiet;
  final Entropy entropy;

  private Hazards(ImmutableSet<Hazard> drawn, Entropy entropy) {
    this.drawn = drawn;
    this.entropy = entropy;
    this.isOtherwiseQuiet = drawn.contains(Hazard.READMISSION) && entropy.fork(7).chance(0.6);
  }

  /** Draws each hazard by itself; the only one that there is, always. */
  static Hazards draw(Set<Hazard> from, long seed) {
    Entropy entropy = Entropy.seeded(seed ^ LABEL);
    EnumSet<Hazard> drawn = EnumSet.noneOf(Hazard.class);
    double share = from.size() > FEW ? SHARE : SHARE_OF_FEW;
    for (Hazard hazard : EnumSet.complementOf(LATER)) {
      if (entropy.chance(share) && from.contains(hazard)) {
        drawn.add(hazard);
      }
    }
    if (drawn.size() > 1) {
      drawn.remove(Hazard.NO_FAULTS);
    }
    if (drawn.contains(Hazard.STARVATION)) { // Whoever waits there waits for no other reason.
      drawn.retainAll(EnumSet.of(Hazard.STARVATION));
    }
    if (!drawn.contains(Hazard.STARVATION)) {
      for (Hazard hazard : LATER) {
        long label = hazard == Hazard.DELETES ? DELETES_LABEL : GLANCES_LABEL;
        if (from.contains(hazard) && Entropy.seeded(seed ^ label).chance(share)) {
          drawn.add(hazard);
        }
      }
    }
    return new Hazards(
        from.size() == 1 ? ImmutableSet.copyOf(from) : Sets.immutableEnumSet(drawn), entropy);
  }

  boolean has(Hazard hazard) {
    return drawn.contains(hazard);
  }

  /** What a liar says where a hazard asks for a lie of its own. */
  List<ByzantineKind> lies(List<ByzantineKind> drawn) {
    if (has(Hazard.STARVATION)) {
      return List.of(ByzantineKind.STARVE);
    }
    return has(Hazard.HOARDING) ? List.of(ByzantineKind.VARIANTS) : drawn;
  }

  /** Whether no fault blurs what the hazards bring about: schedules that only they make. */
  boolean isOtherwiseQuiet() {
    return isOtherwiseQuiet;
  }

  /** Whether the run lasts for minutes. */
  boolean isLong() {
    return has(Hazard.READMISSION) || has(Hazard.LONG_SLEEP);
  }

  ImmutableSet<Hazard> all() {
    return drawn;
  }
}
