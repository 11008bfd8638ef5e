package io.testudo.node.commands;

import com.google.common.collect.ImmutableList;
import io.testudo.node.CommandException;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.objects.MapState;
import io.testudo.ordering.objects.SeriesState;
import io.testudo.quorum.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands that read have in common. */
abstract class ObjectReading extends ObjectAction {
  /** No reader wants more at once, and no object has more room. */
  private static final int ALL = Integer.MAX_VALUE;

  @Parameters(index = "1", arity = "0..1", paramLabel = "KEY", description = "A key of a map.")
  private @Nullable String key;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      converter = ObjectKinds.class,
      description =
          "What the object is: counter, register, map, queue or log. "
              + "By default a map if a key is given, else a register.")
  private @Nullable ObjectKind kind;

  /** Nothing is there, or not under the key. */
  protected final CommandException noValue() {
    return noValue(key);
  }

  /** One value of an object; a number only for counters. */
  protected record ValueRow(
      String object,
      String type,
      long version,
      @Nullable String key,
      @Nullable Long index,
      Object value) {
    String text() {
      return (key != null ? key + "\t" : index != null ? index + "\t" : "") + value;
    }
  }

  @Override
  protected final boolean isRead() {
    return true;
  }

  protected final ObjectKind kind() {
    ObjectKind chosen = kind != null ? kind : key != null ? ObjectKind.MAP : ObjectKind.REGISTER;
    if (key != null && chosen != ObjectKind.MAP) {
      throw CommandException.usage("A %s has no keys; leave the key out.".formatted(chosen));
    }
    return chosen;
  }

  /** What a state holds, from some element of a series on. */
  protected final ImmutableList<ValueRow> rows(Snapshot<?> snapshot, long from) {
    ImmutableList.Builder<ValueRow> rows = ImmutableList.builder();
    long version = snapshot.version();
    if (snapshot.state() instanceof Long number) {
      rows.add(row(version, null, null, number));
    } else if (snapshot.state() instanceof Optional<?> value) {
      value.ifPresent(it -> rows.add(row(version, null, null, shown((Bytes) it))));
    } else if (snapshot.state() instanceof MapState map && key != null) {
      map.get(bytes(key)).ifPresent(value -> rows.add(row(version, null, null, shown(value))));
    } else if (snapshot.state() instanceof MapState map) {
      map.forEach((each, value) -> rows.add(row(version, shown(each), null, shown(value))));
    } else if (snapshot.state() instanceof SeriesState series) {
      long index = Math.max(from, series.first());
      for (Bytes element : series.from(index, ALL)) {
        rows.add(row(version, null, index++, shown(element)));
      }
    }
    return rows.build();
  }

  private ValueRow row(long version, @Nullable String ofKey, @Nullable Long index, Object value) {
    return new ValueRow(name, kind().toString(), version, ofKey, index, value);
  }

  /** Whether it is one value, which must be there. */
  protected final boolean isSingle() {
    return kind() == ObjectKind.REGISTER || key != null;
  }
}
