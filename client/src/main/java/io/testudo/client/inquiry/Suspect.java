package io.testudo.client.inquiry;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.ServerId;

/**
 * What speaks against a server.
 *
 * @param detail the last time, in words
 * @param count how often
 */
public record Suspect(ServerId server, Kind kind, String detail, long count) {
  /** The longest detail, in characters. */
  public static final int MAX_DETAIL = 200;

  /** What kind of thing speaks against it. */
  public enum Kind {
    /** It denied what enough others granted. A correct server does so now and then. */
    OUTVOTED(1),
    /** It said what no correct server says. */
    CONTRADICTION(2);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static Kind ofNumber(int number) {
      for (Kind kind : values()) {
        if (kind.number == number) {
          return kind;
        }
      }
      throw new IllegalArgumentException("there is no kind " + number);
    }
  }

  public Suspect {
    checkArgument(detail.length() <= MAX_DETAIL, "a detail of %s characters", detail.length());
    checkArgument(count > 0, "a suspicion counts, not %s times", count);
  }

  /** With a detail that is cut where it is too long. */
  public static Suspect of(ServerId server, Kind kind, String detail) {
    String cut = detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL);
    return new Suspect(server, kind, cut, 1);
  }

  /** Both together, if they are of one server and kind; the later one's detail counts. */
  Suspect plus(Suspect later) {
    return new Suspect(server, kind, later.detail, saturated(count, later.count));
  }

  private static long saturated(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }
}
