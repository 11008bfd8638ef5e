package io.testudo.client.roster;

import io.testudo.ordering.Codec;

/**
 * The wish of one to come in.
 *
 * @param size what the roster is believed to be of
 * @param waits whether it waits if it has to
 */
public record Entrance(
    long id, String owner, int weight, long leaseMillis, int size, boolean waits) {
  /** What a member's first beat has. */
  public static final long FIRST_BEAT = 1;

  static final Codec<Entrance> CODEC =
      Codec.of(
          (entrance, out) ->
              out.writeFixed64(entrance.id())
                  .writeString(entrance.owner())
                  .writeLong(entrance.weight())
                  .writeLong(entrance.leaseMillis())
                  .writeLong(entrance.size())
                  .writeBoolean(entrance.waits()),
          in ->
              new Entrance(
                  in.readFixed64(),
                  in.readString(),
                  Math.toIntExact(in.readLong()),
                  in.readLong(),
                  Math.toIntExact(in.readLong()),
                  in.readBoolean()));

  Member member() {
    return new Member(id, owner, weight, 0, leaseMillis, FIRST_BEAT);
  }
}
