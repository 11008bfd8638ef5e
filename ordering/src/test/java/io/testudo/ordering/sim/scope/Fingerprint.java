package io.testudo.ordering.sim.scope;

import io.testudo.crypto.Digest;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Everything that a machine remembers, as a text: two machines with the same text behave alike. It
 * knows nothing of the machine's structure but that its state is in its fields.
 */
final class Fingerprint {
  private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();

  private final StringBuilder text = new StringBuilder();
  private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Set<Object> parts = Collections.newSetFromMap(new IdentityHashMap<>());

  private Fingerprint() {}

  static String of(Object machine) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.write(machine);
    return fingerprint.text.toString();
  }

  private static String textOf(Object value) {
    return of(value);
  }

  private void write(Object value) {
    if (value == null) {
      text.append('-');
    } else if (value instanceof Number
        || value instanceof Boolean
        || value instanceof String
        || value instanceof Enum
        || value instanceof Digest) {
      text.append(value);
    } else if (value instanceof Bytes bytes) {
      text.append(bytes.size()).append('b').append(bytes.hashCode());
    } else if (value instanceof byte[] bytes) {
      text.append(Bytes.copyOf(bytes).hashCode());
    } else if (value instanceof Optional<?> optional) {
      write(optional.orElse(null));
    } else if (value instanceof Map<?, ?> map) {
      writeAll('{', entries(map), map instanceof LinkedHashMap || map instanceof SortedMap);
    } else if (value instanceof Collection<?> all) {
      List<String> texts = all.stream().map(Fingerprint::textOf).toList();
      writeAll('[', texts, !(all instanceof Set) || all instanceof LinkedHashSet);
    } else {
      writeFields(value);
    }
  }

  private static List<String> entries(Map<?, ?> map) {
    List<String> entries = new ArrayList<>();
    map.forEach((key, value) -> entries.add(textOf(key) + "=" + textOf(value)));
    return entries;
  }

  private void writeAll(char bracket, List<String> texts, boolean inOrder) {
    text.append(bracket);
    (inOrder ? texts.stream() : texts.stream().sorted())
        .forEach(one -> text.append(one).append(','));
    text.append(']');
  }

  private void writeFields(Object value) {
    // Parts of a machine know each other: each is written where it is met first.
    if (isScenery(value) || (value instanceof Part && !parts.add(value)) || !open.add(value)) {
      return;
    }
    text.append('(');
    for (Field field : fields(value.getClass())) {
      try {
        write(field.get(value));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
      text.append(';');
    }
    text.append(')');
    open.remove(value);
  }

  /** What never changes, or is not ours. */
  private static boolean isScenery(Object value) {
    return value instanceof Thresholds
        || value instanceof OrderSeals
        || value instanceof OrderTiming
        || value instanceof Entropy
        || !value.getClass().getName().startsWith("io.testudo")
        || value.getClass().isHidden();
  }

  private static List<Field> fields(Class<?> type) {
    return FIELDS.computeIfAbsent(
        type,
        any -> {
          List<Field> found = new ArrayList<>();
          for (Class<?> c = type;
              c != null && c != Machine.class && c != Part.class;
              c = c.getSuperclass()) {
            if (!c.getName().startsWith("io.testudo")) {
              break;
            }
            for (Field field : c.getDeclaredFields()) {
              if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                found.add(field);
              }
            }
          }
          return found;
        });
  }
}
