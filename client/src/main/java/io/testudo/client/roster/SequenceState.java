package io.testudo.client.roster;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;

/**
 * A sequence behind a fence.
 *
 * @param fence the largest token that was shown
 * @param last the last number that was given out
 */
public record SequenceState(long fence, long last) {
  private static final Codec<SequenceState> CODEC =
      Codec.of(
          (state, out) -> out.writeLong(state.fence()).writeLong(state.last()),
          in -> new SequenceState(in.readLong(), in.readLong()));

  /**
   * A wish for numbers.
   *
   * @param count how many; 0 only to shut others out
   */
  public record Wish(long fence, int count) {
    static final Codec<Wish> CODEC =
        Codec.of(
            (wish, out) -> out.writeLong(wish.fence()).writeLong(wish.count()),
            in -> new Wish(in.readLong(), Math.toIntExact(in.readLong())));
  }

  /**
   * What came of it.
   *
   * @param fence the largest token that was shown; if it is larger than that of the wish, nothing
   *     was given out
   * @param first the first of the numbers
   */
  public record Given(long fence, long first) {
    static final Codec<Given> CODEC =
        Codec.of(
            (given, out) -> out.writeLong(given.fence()).writeLong(given.first()),
            in -> new Given(in.readLong(), in.readLong()));
  }

  public static final Operation<SequenceState, Wish, Given> TAKE =
      Operation.of(1, "take", Wish.CODEC, Given.CODEC)
          .changing(
              (state, wish) ->
                  wish.fence() < state.fence()
                      ? Change.none(new Given(state.fence(), 0))
                      : Change.to(
                          new SequenceState(
                              wish.fence(), Math.addExact(state.last(), wish.count())),
                          new Given(wish.fence(), state.last() + 1)));

  public static final ObjectType<SequenceState> TYPE =
      ObjectType.of(14, "fenced sequence", CODEC, new SequenceState(0, 0)).with(TAKE);
}
