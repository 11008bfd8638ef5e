package io.testudo.quorum;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Which sets of servers count as quorums: a choice of a whole deployment. All clients of a name
 * have to count alike, because a quorum of one kind and one of another need not meet in a correct
 * server. Whom a client asks is another matter: {@link Access}.
 */
public enum QuorumKind {
  /** Any so many servers: as many as the protocol takes unless told. */
  STANDARD {
    @Override
    public Thresholds thresholds(Need need, int servers, int faults) {
      return need.thresholds(servers, faults);
    }
  },
  /** Any so many servers: as few as the protocol can do with. */
  LEAST {
    @Override
    public Thresholds thresholds(Need need, int servers, int faults) {
      Thresholds.check(need, servers, faults);
      return need.thresholds(servers, faults, need.smallestQuorum(servers, faults));
    }
  },
  /** One column and 2b+1 rows of a square. */
  GRID {
    @Override
    public Thresholds thresholds(Need need, int servers, int faults) {
      return new Thresholds(checked(need), GridQuorums.of(servers, faults));
    }
  },
  /** As many rows as columns of a square, both few. */
  M_GRID {
    @Override
    public Thresholds thresholds(Need need, int servers, int faults) {
      return new Thresholds(checked(need), MGridQuorums.of(servers, faults));
    }
  };

  /**
   * What a protocol counts by in such a cluster.
   *
   * @throws QuorumConfigurationException if there are no such quorums of these servers, or they are
   *     not consistent or not available enough for the protocol
   */
  public abstract Thresholds thresholds(Need need, int servers, int faults);

  /** What configurations call it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The kind of this name.
   *
   * @throws IllegalArgumentException if there is none, with those there are
   */
  public static QuorumKind named(String word) {
    return Arrays.stream(values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there are no quorums called '%s'; choose one of %s"
                        .formatted(
                            word,
                            Arrays.stream(values())
                                .map(QuorumKind::word)
                                .collect(Collectors.joining(", ")))));
  }

  /** A quorum of lines less any b servers is no longer a quorum of lines. */
  private static Need checked(Need need) {
    if (need.asksOneQuorum()) {
      throw new QuorumConfigurationException(
          ("mode %s goes on in spite of b denials in a quorum, which a grid does not make up for;"
                  + " take thresholds, or the mode that asks all")
              .formatted(need.modeName()));
    }
    return need;
  }
}
