package io.testudo.client.roster;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.ordering.Codec;

/**
 * One that holds or waits.
 *
 * @param id drawn at random by the member
 * @param owner the principal that it belongs to, for people
 * @param weight how much it takes of what there is
 * @param fence of its grant; 0 while it waits
 * @param leaseMillis for how long its last beat keeps it in
 * @param beats raised by the member with each renewal
 */
public record Member(long id, String owner, int weight, long fence, long leaseMillis, long beats) {
  /** The longest name of an owner that is kept; what is longer is cut. */
  public static final int MAX_OWNER_CHARS = 64;

  static final Codec<Member> CODEC =
      Codec.of(
          (member, out) ->
              out.writeFixed64(member.id())
                  .writeString(member.owner())
                  .writeLong(member.weight())
                  .writeLong(member.fence())
                  .writeLong(member.leaseMillis())
                  .writeLong(member.beats()),
          in ->
              new Member(
                  in.readFixed64(),
                  in.readString(),
                  Math.toIntExact(in.readLong()),
                  in.readLong(),
                  in.readLong(),
                  in.readLong()));

  public Member {
    checkArgument(weight > 0, "a member takes something, not %s", weight);
    checkArgument(leaseMillis > 0, "a lease lasts, not for %s ms", leaseMillis);
  }

  Member granted(long itsFence) {
    return new Member(id, owner, weight, itsFence, leaseMillis, beats);
  }

  Member renewed(long itsLeaseMillis, long itsBeats) {
    return new Member(id, owner, weight, fence, itsLeaseMillis, itsBeats);
  }

  boolean isWaiting() {
    return fence == 0;
  }
}
