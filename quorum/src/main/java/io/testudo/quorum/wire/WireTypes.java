package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Message;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types that one process speaks and stores, by number and by class. Immutable. */
public final class WireTypes {
  private final ImmutableList<WireType<?>> all;
  private final Map<Class<?>, WireType<?>> byClass = new HashMap<>();
  private final @Nullable WireType<?>[] byNumber;

  private WireTypes(Collection<WireType<?>> types) {
    all = ImmutableList.copyOf(types);
    int highest = all.stream().mapToInt(WireType::number).max().orElse(0);
    byNumber = new WireType<?>[highest + 1];
    for (WireType<?> type : all) {
      WireType<?> other = byNumber[type.number()];
      checkArgument(other == null, "%s and %s have one number", type, other);
      byNumber[type.number()] = type;
      checkArgument(byClass.put(type.type(), type) == null, "%s is described twice", type);
    }
  }

  public static WireTypes of(Collection<WireType<?>> types) {
    return new WireTypes(types);
  }

  public static WireTypes of(WireType<?>... types) {
    return new WireTypes(List.of(types));
  }

  /** These and those. */
  public WireTypes and(WireTypes others) {
    return new WireTypes(
        ImmutableList.<WireType<?>>builder().addAll(all).addAll(others.all).build());
  }

  public ImmutableList<WireType<?>> all() {
    return all;
  }

  /**
   * Any message of these types inside of another one: its number, and its bytes, which are checked
   * when the message around it is read. A type that is not one of these makes that one malformed.
   */
  public Schema<Message> inside() {
    return Schema.of(
        Field.uint32(1, it -> typeOf(it).number()), Field.bytes(2, this::bodyOf), this::messageOf);
  }

  private Bytes bodyOf(Message message) {
    WireWriter out = new WireWriter();
    typeOf(message).write(message, out);
    return Bytes.wrap(out.toBytes());
  }

  private Message messageOf(int number, Bytes body) {
    WireType<?> type = byNumber(number);
    checkArgument(type != null, "no message of the type %s may be here", number);
    try {
      if (type.decode(body.<WireReader>view(WireReader::new)) instanceof Message message) {
        return message;
      }
    } catch (WireException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    throw new IllegalArgumentException(type.name() + " is not for the wire");
  }

  /** The type with a number, or null where this build knows none. */
  @Nullable WireType<?> byNumber(int number) {
    return number >= 0 && number < byNumber.length ? byNumber[number] : null;
  }

  /** The type of a record of our own; one that nobody described is our error. */
  WireType<?> typeOf(Object value) {
    WireType<?> type = byClass.get(value.getClass());
    checkArgument(type != null, "%s is no wire type", value.getClass().getSimpleName());
    return type;
  }
}
