package io.testudo.ordering.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.objects.MapObject;
import io.testudo.ordering.objects.MapState;
import io.testudo.ordering.objects.QueueObject;
import io.testudo.ordering.objects.RegisterObject;
import io.testudo.ordering.objects.SeriesState;
import io.testudo.ordering.typed.HeldState;
import io.testudo.ordering.typed.HeldState.Illegible;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The ready objects: what they do, the bytes in which they do it, and that every other client can
 * do it again from the effects.
 */
class ReadyObjectsTest {
  /** The bytes of all operations in the order of the script. */
  private final List<String> lines = new ArrayList<>();

  /** An object under test: operations go through bytes, a twin replays their effects. */
  private final class Stage<S> {
    private final TypedModel<S> model;
    private final String name;
    private HeldState<S> state;
    private HeldState<S> twin;

    Stage(ObjectType<S> type) {
      this.model = new TypedModel<>(type);
      this.name = type.name();
      this.state = model.initial();
      this.twin = model.initial();
    }

    <A, R> R act(Operation<S, A, R> operation, A argument) {
      Bytes asked = model.operation(operation, argument);
      ObjectModel.Change<HeldState<S>> change = model.apply(state, asked);
      state = change.after();
      twin = model.replay(twin, change.effect());
      line(operation.name() + " asked", asked);
      line(operation.name() + " result", change.result());
      line(operation.name() + " effect", change.effect());
      line("state", model.encode(state));
      assertThat(model.encode(twin)).isEqualTo(model.encode(state));
      HeldState<S> read = model.decode(model.encode(state));
      assertThat(model.encode(read)).isEqualTo(model.encode(state));
      return model.result("it", operation, change.result());
    }

    <R> R act(Operation<S, Nothing, R> operation) {
      return act(operation, Nothing.NOTHING);
    }

    private void line(String what, Bytes bytes) {
      lines.add((name + " " + what + " " + HexFormat.of().formatHex(bytes.toByteArray())).strip());
    }

    S state() {
      return ((Legible<S>) state).state();
    }
  }

  private static Bytes bytes(String text) {
    return Bytes.utf8(text);
  }

  private void counter() {
    Stage<Long> counter = new Stage<>(CounterObject.TYPE);
    assertThat(counter.act(CounterObject.ADD, 300L)).isEqualTo(300);
    assertThat(counter.act(CounterObject.ADD, -1L)).isEqualTo(299);
    assertThat(counter.act(CounterObject.SET, Long.MAX_VALUE)).isEqualTo(299);
    assertThat(counter.act(CounterObject.COMPARE_AND_SET, new CounterObject.Swap(1, 2))).isFalse();
    assertThat(
            counter.act(CounterObject.COMPARE_AND_SET, new CounterObject.Swap(Long.MAX_VALUE, 2)))
        .isTrue();
  }

  private void register() {
    Stage<Optional<Bytes>> register = new Stage<>(RegisterObject.TYPE);
    register.act(RegisterObject.SET, Optional.of(bytes("a")));
    assertThat(register.act(RegisterObject.GET_AND_SET, Optional.of(bytes("b"))))
        .contains(bytes("a"));
    assertThat(
            register.act(
                RegisterObject.COMPARE_AND_SET,
                new RegisterObject.Swap(Optional.of(bytes("a")), Optional.empty())))
        .isFalse();
    assertThat(
            register.act(
                RegisterObject.COMPARE_AND_SET,
                new RegisterObject.Swap(Optional.of(bytes("b")), Optional.of(bytes("c")))))
        .isTrue();
    register.act(RegisterObject.SET, Optional.empty());
    assertThat(register.state()).isEmpty();
  }

  private void map() {
    Stage<MapState> map = new Stage<>(MapObject.TYPE);
    map.act(
        MapObject.PUT_ALL,
        ImmutableList.of(
            new MapObject.Entry(bytes("b"), Optional.of(bytes("2"))),
            new MapObject.Entry(bytes("a"), Optional.of(bytes("1"))),
            new MapObject.Entry(bytes("c"), Optional.empty())));
    assertThat(
            map.act(
                MapObject.GET_AND_PUT, new MapObject.Entry(bytes("b"), Optional.of(bytes("3")))))
        .contains(bytes("2"));
    assertThat(
            map.act(
                MapObject.COMPARE_AND_SET,
                new MapObject.Swap(bytes("z"), Optional.empty(), Optional.of(bytes("9")))))
        .isTrue();
    assertThat(
            map.act(
                MapObject.COMPARE_AND_SET,
                new MapObject.Swap(bytes("z"), Optional.empty(), Optional.of(bytes("8")))))
        .isFalse();
    assertThat(map.act(MapObject.REMOVE, bytes("a"))).isTrue();
    assertThat(map.act(MapObject.REMOVE, bytes("a"))).isFalse();
    assertThat(map.state().toMap())
        .containsExactly(
            java.util.Map.entry(bytes("b"), bytes("3")),
            java.util.Map.entry(bytes("z"), bytes("9")));
    assertThat(map.act(MapObject.CLEAR)).isEqualTo(2);
  }

  private void queue() {
    Stage<SeriesState> queue = new Stage<>(QueueObject.TYPE);
    assertThat(queue.act(QueueObject.POLL)).isEmpty();
    for (int i = 0; i < 4; i++) {
      assertThat(queue.act(QueueObject.ADD, bytes("e" + i))).isEqualTo(i);
    }
    assertThat(queue.act(QueueObject.POLL)).contains(bytes("e0"));
    assertThat(queue.act(QueueObject.POLL_MANY, 2)).containsExactly(bytes("e1"), bytes("e2"));
    assertThat(queue.act(QueueObject.CLEAR)).isEqualTo(1);
    assertThat(queue.act(QueueObject.POLL_MANY, 2)).isEmpty();
    assertThat(queue.act(QueueObject.ADD, bytes("e4"))).isEqualTo(4);
  }

  private void log() {
    Stage<SeriesState> log = new Stage<>(LogObject.TYPE);
    assertThat(log.act(LogObject.APPEND, ImmutableList.of(bytes("a"), bytes("b")))).isZero();
    assertThat(log.act(LogObject.APPEND, ImmutableList.of(bytes("c")))).isEqualTo(2);
    assertThat(log.act(LogObject.TRUNCATE, 1L)).isEqualTo(1);
    assertThat(log.act(LogObject.TRUNCATE, 0L)).isEqualTo(1);
    assertThat(log.state().from(1, 10)).containsExactly(bytes("b"), bytes("c"));
    assertThat(log.state().get(0)).isEmpty();
    assertThat(log.act(LogObject.TRUNCATE, 99L)).isEqualTo(3);
    assertThat(log.state().next()).isEqualTo(3);
  }

  /** The bytes are on disks: a line is never changed, a release may add some. */
  @Test
  void doWhatTheySayInTheBytesOfVersionOne() throws IOException {
    counter();
    register();
    map();
    queue();
    log();
    assertThat(lines)
        .containsExactlyElementsOf(
            Resources.readLines(
                Resources.getResource("golden/v1/objects.txt"), StandardCharsets.UTF_8));
  }

  /** What travels of a change to a map of a mebibyte. */
  @Test
  void sendLittleForASmallChangeOfALargeState() {
    TypedModel<MapState> model = new TypedModel<>(MapObject.TYPE);
    HeldState<MapState> map = model.initial();
    for (int i = 0; i < 1024; i++) {
      map = model.apply(map, put(model, "key" + i, "v".repeat(1024))).after();
    }
    assertThat(model.encode(map).size()).isGreaterThan(1 << 20);
    Bytes small = put(model, "key7", "new");
    ObjectModel.Change<HeldState<MapState>> change = model.apply(map, small);
    assertThat(small.size() + change.effect().size() + change.result().size()).isLessThan(64);
    assertThat(model.encode(model.replay(map, change.effect())))
        .isEqualTo(model.encode(change.after()));
  }

  private static Bytes put(TypedModel<MapState> model, String key, String value) {
    return model.operation(
        MapObject.PUT_ALL,
        ImmutableList.of(new MapObject.Entry(bytes(key), Optional.of(bytes(value)))));
  }

  @Test
  void takeNoMoreThanFitsAndGiveItBack() {
    TypedModel<SeriesState> model = new TypedModel<>(QueueObject.TYPE);
    HeldState<SeriesState> queue = model.initial();
    Bytes element = Bytes.copyOf(new byte[200 << 10]);
    long added = 0;
    while (true) {
      ObjectModel.Change<HeldState<SeriesState>> change =
          model.apply(queue, model.operation(QueueObject.ADD, element));
      if (change.effect().isEmpty()) {
        break;
      }
      queue = change.after();
      added++;
    }
    assertThat(added).isEqualTo(ObjectLimits.MAX_STATE_BYTES / element.size());
    assertThat(model.encode(queue).size())
        .isLessThanOrEqualTo(((Legible<SeriesState>) queue).state().bytes() + 8);
    ObjectModel.Change<HeldState<SeriesState>> polled =
        model.apply(queue, model.operation(QueueObject.POLL_MANY, 100));
    assertThat(model.result("it", QueueObject.POLL_MANY, polled.result())).containsExactly(element);
  }

  @Test
  void knowHowManyBytesTheyHave() {
    Random random = new Random(3);
    TypedModel<MapState> model = new TypedModel<>(MapObject.TYPE);
    HeldState<MapState> map = model.initial();
    for (int i = 0; i < 2_000; i++) {
      String key = "k".repeat(1 + random.nextInt(200));
      Bytes asked =
          random.nextBoolean()
              ? put(model, key, "v".repeat(random.nextInt(300)))
              : model.operation(MapObject.REMOVE, bytes(key));
      map = model.apply(map, asked).after();
      MapState state = ((Legible<MapState>) map).state();
      int written = MapObject.TYPE.encode(state).size();
      assertThat(state.bytes()).isBetween(written, written + 32);
    }
  }

  /** States, effects and operations that some client with other code may have written. */
  @Test
  void takeAnyBytesWithoutAnException() throws IOException {
    List<String> kept =
        Resources.readLines(Resources.getResource("golden/v1/objects.txt"), StandardCharsets.UTF_8);
    Random random = new Random(11);
    for (ObjectType<?> type :
        List.of(
            CounterObject.TYPE,
            RegisterObject.TYPE,
            MapObject.TYPE,
            QueueObject.TYPE,
            LogObject.TYPE)) {
      for (int i = 0; i < 20_000; i++) {
        String line = kept.get(random.nextInt(kept.size()));
        takeAny(new TypedModel<>(type), mutated(line, random));
      }
    }
  }

  private static <S> void takeAny(TypedModel<S> model, Bytes bytes) {
    HeldState<S> read = model.decode(bytes);
    if (read instanceof Legible<S>) {
      assertThat(model.encode(read)).isEqualTo(bytes);
    }
    HeldState<S> replayed = model.replay(model.initial(), bytes);
    assertThat(replayed).isInstanceOfAny(Legible.class, Illegible.class);
    if (model.canApply(model.initial(), bytes, 0)) {
      assertThat(model.apply(model.initial(), bytes).result()).isNotNull();
    }
  }

  private static Bytes mutated(String line, Random random) {
    String last = line.substring(line.lastIndexOf(' ') + 1);
    byte[] bytes =
        last.matches("([0-9a-f]{2})+") ? HexFormat.of().parseHex(last) : new byte[] {6, 2, 0};
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return Bytes.wrap(bytes).slice(0, random.nextInt(bytes.length + 1));
  }
}
