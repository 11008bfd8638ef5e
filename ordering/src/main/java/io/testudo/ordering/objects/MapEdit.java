package io.testudo.ordering.objects;

import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.quorum.Bytes;
import java.util.Optional;

/**
 * What a transaction does to one entry, once all is decided: nobody looks at a clock any more.
 *
 * @param value that is put; empty if the value is removed or stays
 * @param deadlineMillis with a value, when it ends, or {@link #NEVER}. Without one the same for the
 *     value that is there, or {@link #REMOVED}
 */
record MapEdit(Bytes key, Optional<Bytes> value, long deadlineMillis) {
  static final long NEVER = 0;
  static final long REMOVED = -1;

  private static final Codec<Optional<Bytes>> VALUE = Codec.optional(Codec.BYTES);

  static final Codec<MapEdit> CODEC =
      Codec.of(
          (edit, out) -> {
            out.writeBytes(edit.key());
            VALUE.write(edit.value(), out);
            out.writeLong(edit.deadlineMillis());
          },
          in -> new MapEdit(in.readBytes(), VALUE.read(in), in.readLong()));

  MapEdit {
    if (deadlineMillis < (value.isPresent() ? NEVER : REMOVED)) {
      throw new MalformedValueException("an entry of a map ends at " + deadlineMillis);
    }
  }

  static MapEdit put(Bytes key, Bytes value, long deadlineMillis) {
    return new MapEdit(key, Optional.of(value), deadlineMillis);
  }

  static MapEdit remove(Bytes key) {
    return new MapEdit(key, Optional.empty(), REMOVED);
  }

  static MapEdit end(Bytes key, long deadlineMillis) {
    return new MapEdit(key, Optional.empty(), deadlineMillis);
  }

  MapState edit(MapState map) {
    if (value.isPresent()) {
      return map.with(key, value.get(), deadlineMillis);
    }
    return deadlineMillis == REMOVED ? map.without(key) : map.withDeadline(key, deadlineMillis);
  }
}
