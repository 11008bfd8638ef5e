package io.testudo.quorum.sim;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * About how many bytes an object keeps from being forgotten, with all that it refers to. What is
 * counted is what a peer can make grow: texts, bytes, collections, and our own objects.
 */
final class Footprint {
  private static final long OBJECT_BYTES = 16;
  private static final long SLOT_BYTES = 32;

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          return fieldsOf(type);
        }
      };

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();
  private long bytes;

  private Footprint() {}

  static long of(Object root) {
    Footprint footprint = new Footprint();
    footprint.reach(root);
    while (!footprint.open.isEmpty()) {
      footprint.weigh(footprint.open.pop());
    }
    return footprint.bytes;
  }

  private void reach(Object object) {
    if (seen.add(object)) {
      open.push(object);
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
    } else if (isOurs(type)) {
      for (Field field : FIELDS.get(type)) {
        weighField(object, field);
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

  private void weighField(Object object, Field field) {
    if (field.getType().isPrimitive()) {
      bytes += Long.BYTES;
      return;
    }
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

  private static List<Field> fieldsOf(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && isReadable(field)) {
          fields.add(field);
        }
      }
    }
    return fields;
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
