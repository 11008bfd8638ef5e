package io.testudo.client.roster;

import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import java.util.Arrays;

/**
 * How somebody stands to a roster.
 *
 * @param number the fence if it holds, the size of the roster if that is another
 */
public record Standing(Kind kind, long number) {
  /** What became of a wish. */
  public enum Kind {
    /** It is not on the roster. */
    GONE(1),
    /** It waits for its turn. */
    WAITING(2),
    /** It has what it asked for. */
    HELD(3),
    /** It would have had to wait, and did not want to. */
    BUSY(4),
    /** As many wait as may. */
    FULL(5),
    /** The roster is of another size. */
    OTHER_SIZE(6);

    /** Permanent: it stands for this kind on disk. */
    private final int number;

    Kind(int number) {
      this.number = number;
    }

    private static Kind of(long number) {
      return Arrays.stream(values())
          .filter(kind -> kind.number == number)
          .findFirst()
          .orElseThrow(() -> new MalformedValueException("there is no standing " + number));
    }
  }

  public static final Standing GONE = new Standing(Kind.GONE, 0);
  static final Standing WAITING = new Standing(Kind.WAITING, 0);
  static final Standing BUSY = new Standing(Kind.BUSY, 0);
  static final Standing FULL = new Standing(Kind.FULL, 0);

  static final Codec<Standing> CODEC =
      Codec.of(
          (standing, out) -> out.writeLong(standing.kind().number).writeLong(standing.number()),
          in -> new Standing(Kind.of(in.readLong()), in.readLong()));

  static Standing of(Member member) {
    return member.isWaiting() ? WAITING : new Standing(Kind.HELD, member.fence());
  }
}
