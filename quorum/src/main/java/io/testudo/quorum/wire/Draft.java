package io.testudo.quorum.wire;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message as its fields, which can be changed one by one to what no record would hold. A field
 * that is missing is null; a list is one that can grow.
 */
final class Draft {
  private final ImmutableList<FieldForm> forms;
  private final @Nullable Object[] values;

  /** One without any field. */
  Draft(ImmutableList<FieldForm> forms) {
    this.forms = forms;
    this.values = new Object[forms.size()];
  }

  /** The fields of a record. */
  static Draft of(WireType<?> type, Object record) {
    WireWriter out = new WireWriter();
    type.write(record, out);
    Draft draft = new Draft(type.forms());
    try {
      draft.read(new WireReader(out.toBytes()));
    } catch (WireException e) {
      throw new IllegalStateException("a record of our own can not be read", e);
    }
    return draft;
  }

  ImmutableList<FieldForm> forms() {
    return forms;
  }

  @Nullable Object get(FieldForm field) {
    return values[forms.indexOf(field)];
  }

  void set(FieldForm field, @Nullable Object value) {
    values[forms.indexOf(field)] = value;
  }

  void add(FieldForm field, Object value) {
    list(field).add(value);
  }

  /** The values of a repeated field. */
  @SuppressWarnings("unchecked")
  List<Object> list(FieldForm field) {
    Object list = get(field);
    if (list == null) {
      list = new ArrayList<>();
      set(field, list);
    }
    return (List<Object>) list;
  }

  byte[] toBytes() {
    WireWriter out = new WireWriter();
    write(out);
    return out.toBytes();
  }

  /** Another one with the same fields; only lists and messages inside can be changed in place. */
  Draft copy() {
    Draft copy = new Draft(forms);
    for (int i = 0; i < values.length; i++) {
      copy.values[i] = copied(values[i]);
    }
    return copy;
  }

  private static @Nullable Object copied(@Nullable Object value) {
    if (value instanceof Draft draft) {
      return draft.copy();
    }
    return value instanceof List<?> list
        ? new ArrayList<Object>(list.stream().map(Draft::copied).toList())
        : value;
  }

  private void read(WireReader in) throws WireException {
    while (in.remaining() > 0) {
      int tag = in.readTag();
      FieldForm field =
          forms.stream().filter(form -> form.number() == tag >>> 3).findFirst().orElseThrow();
      if (field.kind() == WireKind.MESSAGE || field.packed()) {
        int outer = in.enter();
        if (field.packed()) {
          while (in.remaining() > 0) {
            add(field, field.kind().read(in));
          }
        } else {
          Draft inside = new Draft(field.inside());
          inside.read(in);
          put(field, inside);
        }
        in.leave(outer);
      } else {
        put(field, field.kind().read(in));
      }
    }
  }

  private void put(FieldForm field, Object value) {
    if (field.repeated()) {
      add(field, value);
    } else {
      set(field, value);
    }
  }

  private void write(WireWriter out) {
    for (int i = values.length - 1; i >= 0; i--) {
      FieldForm field = forms.get(i);
      Object value = values[i];
      if (value == null) {
        continue;
      }
      if (field.packed()) {
        out.packed(field.tag(), ImmutableLongArray.copyOf(numbers((List<?>) value)));
      } else if (value instanceof List<?> list) {
        Lists.reverse(list).forEach(one -> writeOne(field, one, out));
      } else {
        writeOne(field, value, out);
      }
    }
  }

  private static List<Long> numbers(List<?> list) {
    return list.stream().map(Long.class::cast).toList();
  }

  private static void writeOne(FieldForm field, Object value, WireWriter out) {
    if (value instanceof Draft draft) {
      int before = out.length();
      draft.write(out);
      out.delimit(field.tag(), before);
    } else if (field.repeated()) {
      out.anyString(field.tag(), (String) value);
    } else {
      field.kind().write(field.tag(), value, out);
    }
  }
}
