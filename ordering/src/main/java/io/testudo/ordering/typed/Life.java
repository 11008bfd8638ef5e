package io.testudo.ordering.typed;

import io.testudo.ordering.Codec;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.ValueReader;
import io.testudo.quorum.Bytes;
import java.time.Duration;

/**
 * Whether an object is there, and until when.
 *
 * @param isThere false of one that is new, or was deleted
 * @param ttlMillis 0 if it has no end
 * @param isRenewed whether changes put the end off
 * @param endMillis when it ends, on wall clocks
 */
public record Life(boolean isThere, long ttlMillis, boolean isRenewed, long endMillis) {
  /** There is none. */
  static final Life NONE = new Life(false, 0, false, 0);

  /** One without an end. */
  public static final Life ENDLESS = new Life(true, 0, false, 0);

  private static final int MOST_BYTES = 64;

  private static final Codec<Life> CODEC =
      Codec.of(
          (life, out) ->
              out.writeLong(life.ttlMillis())
                  .writeBoolean(life.isRenewed())
                  .writeLong(life.endMillis()),
          in -> new Life(true, in.readLong(), in.readBoolean(), in.readLong()));

  /**
   * One with an end, as somebody wrote it down.
   *
   * @throws IllegalArgumentException if no time to live is like that
   */
  public static Life until(TimeToLive ttl, long endMillis) {
    if (ttl.equals(TimeToLive.ENDLESS)) {
      throw new IllegalArgumentException("What has no time to live has no end; leave it out.");
    }
    return new Life(true, ttl.duration().toMillis(), ttl.isRenewed(), endMillis);
  }

  /** One that begins now. */
  static Life from(TimeToLive ttl, long nowMillis) {
    long millis = ttl.duration().toMillis();
    return millis == 0 ? ENDLESS : new Life(true, millis, ttl.isRenewed(), nowMillis + millis);
  }

  /** Whether it has an end, and that is past. */
  public boolean isOver(long nowMillis) {
    return ttlMillis > 0 && nowMillis >= endMillis;
  }

  /** After a change at this moment. It never ends earlier by one: clocks differ. */
  Life changed(long nowMillis) {
    if (!isThere) {
      return ENDLESS;
    }
    return isRenewed
        ? new Life(true, ttlMillis, true, Math.max(endMillis, nowMillis + ttlMillis))
        : this;
  }

  /** A state as it is written, whatever its type: with its end in front, if it has one. */
  public Bytes around(Bytes typed) {
    return ttlMillis == 0
        ? typed
        : Codec.INT
            .encode(LifeOperations.ANY_TYPE, MOST_BYTES, "a number")
            .concat(toBytes())
            .concat(typed);
  }

  Bytes toBytes() {
    return CODEC.encode(this, MOST_BYTES, "a time to live");
  }

  static Life read(ValueReader in) {
    return CODEC.read(in);
  }

  /** A time to live as an argument. */
  static final Codec<TimeToLive> TTL =
      Codec.of(
          (ttl, out) -> out.writeLong(ttl.duration().toMillis()).writeBoolean(ttl.isRenewed()),
          in -> new TimeToLive(Duration.ofMillis(in.readLong()), in.readBoolean()));
}
