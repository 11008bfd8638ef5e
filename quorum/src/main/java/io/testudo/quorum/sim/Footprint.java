package io.testudo.quorum.sim;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * About how many bytes an object keeps from being forgotten, with all that it refers to. What is
 * counted is what a peer can make grow: texts, bytes, collections, and our own objects.
 */
final class Footprint {
  private static final int FIRST_ROOM = 1 << 12;
  private static final long OBJECT_BYTES = 16;
  private static final long SLOT_BYTES = 32;

  private static final ClassValue<Kind> KINDS =
      new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
          return isOurs(type) ? kindOf(type) : new Kind(0, new Field[0]);
        }
      };

  /**
   * What objects of a class have in common.
   *
   * @param numberBytes what their fields take that refer to nothing
   * @param references the fields that do
   */
  @SuppressWarnings("ArrayRecordComponent")
  private record Kind(long numberBytes, Field[] references) {}

  /** All objects that were reached, each at the place of its identity's hash or behind it. */
  private @Nullable Object[] seen = new Object[FIRST_ROOM];

  /** The same objects in the order in which they were reached; the first of them are weighed. */
  private @Nullable Object[] reached = new Object[FIRST_ROOM / 2];

  private int count;
  private long bytes;

  /** Scales that can be used again, one after the other. */
  Footprint() {}

  static long of(Object root) {
    return new Footprint().weighAll(root);
  }

  /** What {@link #of} gives. */
  long weighAll(Object root) {
    bytes = 0;
    reach(root);
    for (int next = 0; next < count; next++) {
      weigh(Objects.requireNonNull(reached[next]));
    }
    Arrays.fill(seen, null);
    Arrays.fill(reached, 0, count, null);
    count = 0;
    return bytes;
  }

  /** By identity: what is equal takes room all the same. */
  @SuppressWarnings("ReferenceEquality")
  private void reach(Object object) {
    int at = System.identityHashCode(object) & (seen.length - 1);
    while (seen[at] != null) {
      if (seen[at] == object) {
        return;
      }
      at = (at + 1) & (seen.length - 1);
    }
    seen[at] = object;
    reached[count++] = object;
    if (count == reached.length) {
      grow();
    }
  }

  private void grow() {
    reached = Arrays.copyOf(reached, 2 * count);
    seen = new Object[4 * count];
    for (int i = 0; i < count; i++) {
      int at = System.identityHashCode(reached[i]) & (seen.length - 1);
      while (seen[at] != null) {
        at = (at + 1) & (seen.length - 1);
      }
      seen[at] = reached[i];
    }
  }

  private void weigh(Object object) {
    bytes += OBJECT_BYTES;
    Class<?> type = object.getClass();
    if (object instanceof String text) {
      bytes += text.length();
    } else if (object instanceof Optional<?> optional) {
      optional.ifPresent(this::reach);
    } else if (object instanceof Collection<?> all) {
      bytes += SLOT_BYTES * all.size();
      reachAll(all);
    } else if (object instanceof Map<?, ?> map) {
      bytes += 2 * SLOT_BYTES * map.size();
      reachAll(map.keySet());
      reachAll(map.values());
    } else if (type.isArray()) {
      weighArray(object, type.getComponentType());
    } else {
      Kind kind = KINDS.get(type);
      bytes += kind.numberBytes();
      for (Field field : kind.references()) {
        follow(object, field);
      }
    }
  }

  private void reachAll(Collection<?> all) {
    for (Object one : all) {
      if (one != null) {
        reach(one);
      }
    }
  }

  private void weighArray(Object array, Class<?> of) {
    int length = Array.getLength(array);
    if (of.isPrimitive()) {
      bytes += of == byte.class || of == boolean.class ? length : 8L * length;
      return;
    }
    bytes += 4L * length;
    for (Object one : (Object[]) array) {
      if (one != null) {
        reach(one);
      }
    }
  }

  private void follow(Object object, Field field) {
    try {
      Object value = field.get(object);
      if (value != null) {
        reach(value);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " was made accessible before", e);
    }
  }

  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith("io.testudo.") && !type.isEnum() && !type.isHidden();
  }

  private static Kind kindOf(Class<?> type) {
    long numberBytes = 0;
    List<Field> references = new ArrayList<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && isReadable(field)) {
          if (field.getType().isPrimitive()) {
            numberBytes += Long.BYTES;
          } else {
            references.add(field);
          }
        }
      }
    }
    return new Kind(numberBytes, references.toArray(Field[]::new));
  }

  /** Where modules keep us out we see less, and no more than that. */
  private static boolean isReadable(Field field) {
    try {
      field.setAccessible(true);
      return true;
    } catch (InaccessibleObjectException e) {
      return false;
    }
  }
}
