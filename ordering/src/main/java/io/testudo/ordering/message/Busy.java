package io.testudo.ordering.message;

import io.testudo.ordering.log.Rank;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/**
 * Server to client: not now. Another client has the tenure, and you said that you would make way
 * for it; or there is no room for what you want stored.
 *
 * @param asked the rank of the ballot that is to make way; any if there is no room
 * @param lack what there is no room for
 * @param holder the rank of whoever has the tenure
 */
public record Busy(String object, Rank asked, Lack lack, Optional<Rank> holder) implements Message {
  /** What a server has no room for; the numbers are permanent. */
  public enum Lack {
    /** For all that was asked there is. */
    NOTHING(0, ""),
    /** Whoever asks has its share of the objects, or of the bytes of all. */
    OBJECTS(1, "has no room for another object of this principal"),
    /** Whoever made the object has its share of the bytes. */
    BYTES(2, "has no room for more of the objects of the principal that made this one");

    private final int number;
    private final String words;

    Lack(int number, String words) {
      this.number = number;
      this.words = words;
    }

    int number() {
      return number;
    }

    /** As the end of a sentence about the server. */
    public String words() {
      return words;
    }

    static Lack ofNumber(int number) {
      for (Lack lack : values()) {
        if (lack.number == number) {
          return lack;
        }
      }
      throw new IllegalArgumentException("there is no lack " + number);
    }
  }

  /** Because of another client. */
  public Busy(String object, Rank asked, Rank holder) {
    this(object, asked, Lack.NOTHING, Optional.of(holder));
  }

  /** Because there is no room. */
  public Busy(String object, Rank asked, Lack lack) {
    this(object, asked, lack, Optional.empty());
  }
}
