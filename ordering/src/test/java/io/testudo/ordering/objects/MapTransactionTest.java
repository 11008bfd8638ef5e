package io.testudo.ordering.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.io.Resources;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.typed.HeldState;
import io.testudo.ordering.typed.HeldState.Illegible;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Transactions on maps: what they do, and the bytes in which they do it. */
class MapTransactionTest {
  private static final long NOW_MILLIS = 1_700_000_000_000L;

  private final MapOperations operations =
      new MapOperations(() -> Instant.ofEpochMilli(NOW_MILLIS));
  private final TypedModel<MapState> model = new TypedModel<>(operations.type);
  private HeldState<MapState> map = model.initial();
  private HeldState<MapState> twin = model.initial();
  private final List<String> lines = new ArrayList<>();

  private <A, R> R act(Operation<MapState, A, R> operation, A argument) {
    Bytes asked = model.operation(operation, argument);
    ObjectModel.Change<HeldState<MapState>> change = model.apply(map, asked);
    map = change.after();
    twin = model.replay(twin, change.effect());
    assertThat(model.encode(twin)).isEqualTo(model.encode(map));
    assertThat(model.encode(model.decode(model.encode(map)))).isEqualTo(model.encode(map));
    line(operation.name() + " asked", asked);
    line(operation.name() + " result", change.result());
    line(operation.name() + " effect", change.effect());
    line("state", model.encode(map));
    return model.result("it", operation, change.result());
  }

  private void line(String what, Bytes bytes) {
    lines.add((what + " " + HexFormat.of().formatHex(bytes.toByteArray())).strip());
  }

  private MapTransaction transaction() {
    return new MapTransaction(
        request -> CompletableFuture.completedFuture(act(operations.transact, request)));
  }

  private Optional<String> get(String key) {
    return ((Legible<MapState>) map).state().get(Bytes.utf8(key), NOW_MILLIS).map(Bytes::toText);
  }

  @Test
  void doOneListOrTheOther() {
    MapTransaction move =
        transaction()
            .ifEquals("a", "1")
            .ifAbsent("b")
            .ifNotEquals("c", "9")
            .ifPresent("d")
            .then(list -> list.remove("a").put("b", "1").get("b").get("a"))
            .otherwise(list -> list.get("a").put("a", "1").put("d", "x").get("a"));
    MapTransaction.Result first = move.submit().join();
    assertThat(first.succeeded()).isFalse();
    assertThat(first.reads()).hasSize(2);
    assertThat(first.reads().get(0).value()).isEmpty();
    assertThat(first.value("a")).as("what the last get saw").contains("1");
    assertThat(get("d")).contains("x");

    MapTransaction.Result second = move.submit().join();
    assertThat(second.succeeded()).isTrue();
    assertThat(second.value("b")).contains("1");
    assertThat(second.value("a")).isEmpty();
    assertThat(get("a")).isEmpty();
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> second.value("d"))
        .withMessageContaining("no get of 'd'");

    // Each condition alone is enough to fail.
    for (String broken : List.of("a", "b", "c", "d")) {
      transaction()
          .then(list -> list.put("a", "1").remove("b").remove("c").put("d", "x"))
          .submit()
          .join();
      transaction()
          .then(
              list -> {
                switch (broken) {
                  case "a" -> list.put("a", "2");
                  case "b" -> list.put("b", "2");
                  case "c" -> list.put("c", "9");
                  default -> list.remove("d");
                }
              })
          .submit()
          .join();
      assertThat(move.submit().join().succeeded()).as(broken).isFalse();
    }
  }

  @Test
  void thatOnlyReadChangeNothing() {
    act(operations.transact, new MapTransaction.Request(List.of(), List.of(), List.of()));
    transaction()
        .ifAbsent("a")
        .then(list -> list.get("a").remove("a").renew("a", HOUR))
        .submit()
        .join();
    assertThat(lines).filteredOn(line -> line.startsWith("transact effect ")).isEmpty();
  }

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void thatReadTooMuchChangeNothing() {
    Bytes value = Bytes.copyOf(new byte[150_000]);
    transaction()
        .then(list -> list.put(Bytes.utf8("a"), value).put(Bytes.utf8("b"), value))
        .submit()
        .join();
    assertThatExceptionOfType(ValueTooLargeException.class)
        .isThrownBy(
            () -> transaction().then(list -> list.get("a").get("b").put("c", "1")).submit().join());
    assertThat(get("c")).isEmpty();
  }

  @Test
  void refuseWhatMakesNoSense() {
    Bytes key = Bytes.utf8("a");
    Optional<Bytes> none = Optional.empty();
    for (MapTransaction.Deed deed : MapTransaction.Deed.values()) {
      Optional<Bytes> value = deed.puts() ? none : Optional.of(key);
      assertThatExceptionOfType(MalformedValueException.class)
          .isThrownBy(() -> new MapTransaction.Action(deed, key, value, deed.isTimed() ? 1 : 0));
      Optional<Bytes> right = deed.puts() ? Optional.of(key) : none;
      assertThatExceptionOfType(MalformedValueException.class)
          .isThrownBy(() -> new MapTransaction.Action(deed, key, right, deed.isTimed() ? 0 : 1));
    }
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(() -> new MapTransaction.Condition(MapTransaction.Check.EQUALS, key, none));
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(
            () -> new MapTransaction.Condition(MapTransaction.Check.ABSENT, key, Optional.of(key)));
  }

  private void script() {
    transaction()
        .ifAbsent("a")
        .ifNotEquals("b", "x")
        .then(list -> list.put("a", "1").put("b", "2", HOUR).get("b").get("c"))
        .otherwise(list -> list.get("a"))
        .submit()
        .join();
    transaction()
        .ifEquals("a", "2")
        .ifPresent("b")
        .then(list -> list.remove("a"))
        .otherwise(
            list ->
                list.putKeepingExpiry("b", "3").renew("a", HOUR).persist("b").put("c", "4", HOUR))
        .submit()
        .join();
    transaction().then(list -> list.remove("a").get("c")).submit().join();
    // In the past: it was put long ago.
    map = model.decode(stateWithAnEndedEntry());
    twin = map;
    assertThat(act(operations.purge, Nothing.NOTHING)).isEqualTo(1);
    assertThat(act(operations.purge, Nothing.NOTHING)).isZero();
  }

  private Bytes stateWithAnEndedEntry() {
    return model.encode(
        new Legible<>(
            operations
                .type
                .initial()
                .with(Bytes.utf8("old"), Bytes.utf8("v"), Instant.ofEpochMilli(1))
                .with(Bytes.utf8("new"), Bytes.utf8("w"))));
  }

  /** The bytes are on disks: a line is never changed, a release may add some. */
  @Test
  void areWrittenInTheBytesOfTheirFirstRelease() throws IOException {
    script();
    assertThat(lines).containsExactlyElementsOf(golden());
  }

  private static List<String> golden() throws IOException {
    return Resources.readLines(Resources.getResource("golden/v1/maps.txt"), StandardCharsets.UTF_8);
  }

  /** Clients of the release before, whose type has one layout and five operations. */
  @Test
  void leaveMapsWithoutTimesToClientsOfTheVersionBefore() {
    TypedModel<MapState> before =
        new TypedModel<>(
            ObjectType.of(3, "map", MapState.CODEC, MapState.EMPTY).with(operations.putAll));
    Bytes put =
        model.operation(
            operations.putAll,
            List.of(new MapObject.Entry(Bytes.utf8("a"), Optional.of(Bytes.utf8("1")))));
    ObjectModel.Change<HeldState<MapState>> plain = model.apply(model.initial(), put);
    assertThat(before.decode(model.encode(plain.after()))).isInstanceOf(Legible.class);
    assertThat(before.replay(before.initial(), plain.effect())).isInstanceOf(Legible.class);
    assertThat(before.decode(stateWithAnEndedEntry()))
        .isInstanceOfSatisfying(
            Illegible.class, why -> assertThat(why.why()).contains("give it a newer one"));
  }

  @Test
  void takeAnyBytesWithoutAnException() throws IOException {
    Random random = new Random(13);
    List<String> kept = golden();
    for (int i = 0; i < 40_000; i++) {
      Bytes bytes = mutated(kept.get(random.nextInt(kept.size())), random);
      HeldState<MapState> read = model.decode(bytes);
      if (read instanceof Legible<MapState>) {
        assertThat(model.encode(read)).isEqualTo(bytes);
      }
      assertThat(model.replay(model.initial(), bytes)).isNotNull();
      if (model.canApply(model.initial(), bytes, 0)) {
        assertThat(model.apply(model.initial(), bytes).result()).isNotNull();
      }
    }
  }

  private static Bytes mutated(String line, Random random) {
    String last = line.substring(line.lastIndexOf(' ') + 1);
    byte[] bytes =
        last.matches("([0-9a-f]{2})+") ? HexFormat.of().parseHex(last) : new byte[] {6, 4, 0};
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return Bytes.wrap(bytes).slice(0, random.nextInt(bytes.length + 1));
  }
}
