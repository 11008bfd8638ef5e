package io.testudo.client.roster;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;

/**
 * A latch.
 *
 * @param count what it began with; 0 as long as nobody has come
 * @param left what is left of it
 * @param parties those that were counted by name
 */
public record LatchState(int count, int left, ImmutableList<String> parties) {
  /** The largest count, and the most parties. */
  public static final int MAX_COUNT = 4_096;

  /** The longest name of a party. */
  public static final int MAX_PARTY_CHARS = 64;

  private static final Codec<LatchState> CODEC =
      Codec.of(
          (latch, out) -> {
            out.writeLong(latch.count()).writeLong(latch.left());
            Codec.listOf(Codec.STRING).write(latch.parties(), out);
          },
          in ->
              new LatchState(
                  Math.toIntExact(in.readLong()),
                  Math.toIntExact(in.readLong()),
                  ImmutableList.copyOf(Codec.listOf(Codec.STRING).read(in))));

  /**
   * One more has come.
   *
   * @param count what the latch is believed to have begun with
   * @param party empty for one without a name
   */
  public record Arrival(int count, String party) {
    static final Codec<Arrival> CODEC =
        Codec.of(
            (arrival, out) -> out.writeLong(arrival.count()).writeString(arrival.party()),
            in -> new Arrival(Math.toIntExact(in.readLong()), in.readString()));
  }

  /**
   * What came of it.
   *
   * @param count what the latch began with
   */
  public record Left(int count, int left) {
    static final Codec<Left> CODEC =
        Codec.of(
            (left, out) -> out.writeLong(left.count()).writeLong(left.left()),
            in -> new Left(Math.toIntExact(in.readLong()), Math.toIntExact(in.readLong())));
  }

  public static final Operation<LatchState, Arrival, Left> COUNT_DOWN =
      Operation.of(1, "countDown", Arrival.CODEC, Left.CODEC)
          .changing(
              Arrival.CODEC,
              (LatchState latch, Arrival arrival) -> {
                LatchState after = latch.after(arrival);
                Left left = new Left(after.count(), after.left());
                return after.equals(latch) ? Change.none(left) : Change.to(arrival, left);
              },
              LatchState::after);

  public static final ObjectType<LatchState> TYPE =
      ObjectType.of(13, "count-down latch", CODEC, new LatchState(0, 0, ImmutableList.of()))
          .with(COUNT_DOWN);

  private LatchState after(Arrival arrival) {
    if (count != 0
        && (count != arrival.count() || left == 0 || parties.contains(arrival.party()))) {
      return this;
    }
    int before = count == 0 ? arrival.count() : left;
    return new LatchState(
        arrival.count(),
        before - 1,
        arrival.party().isEmpty()
            ? parties
            : ImmutableList.<String>builder().addAll(parties).add(arrival.party()).build());
  }

  /** What is left for one who believes that it began with so many. */
  public int left(int believed) {
    return count == 0 ? believed : left;
  }
}
