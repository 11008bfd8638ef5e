package io.testudo.client.roster;

import io.testudo.ordering.Codec;

/**
 * A sign of life of a member, or the last one that somebody else saw.
 *
 * @param leaseMillis for how long it keeps the member in
 */
public record Beat(long id, long beats, long leaseMillis) {
  static final Codec<Beat> CODEC =
      Codec.of(
          (beat, out) ->
              out.writeFixed64(beat.id()).writeLong(beat.beats()).writeLong(beat.leaseMillis()),
          in -> new Beat(in.readFixed64(), in.readLong(), in.readLong()));

  /** The last one of a member. */
  static Beat of(Member member) {
    return new Beat(member.id(), member.beats(), member.leaseMillis());
  }
}
