package io.testudo.ordering.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LargeMapLayout;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.objects.SeriesState;
import io.testudo.ordering.typed.ArchiveModel.Restored;
import io.testudo.ordering.typed.ArchivedState.Known;
import io.testudo.ordering.typed.ArchivedState.Unreadable;
import io.testudo.ordering.typed.ArchivedState.Untouched;
import io.testudo.ordering.typed.ArchivedState.Whole;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Objects that are written down and restored by who need not know their types. */
class ArchiveModelTest {
  private static final Operation<String, String, String> SET =
      Operation.of(1, "set", Codec.STRING, Codec.STRING)
          .changing((before, text) -> Change.to(text, before));
  private static final Operation<String, String, String> APPEND =
      Operation.of(2, "append", Codec.STRING, Codec.STRING)
          .changing(
              Codec.STRING, (before, text) -> Change.to(text, before), (text, more) -> text + more);
  private static final ObjectType<String> TEXT =
      ObjectType.of(100, "text", Codec.STRING, "").with(SET).with(APPEND);

  private final TypedModel<String> texts = new TypedModel<>(TEXT);
  private final TypedModel<SeriesState> logs = new TypedModel<>(LogObject.TYPE);
  private final TypedModel<Long> counters = new TypedModel<>(CounterObject.TYPE);
  private final ArchiveModel model = new ArchiveModel(List.of(CounterObject.TYPE, LogObject.TYPE));

  private static <S, A> ObjectModel.Change<HeldState<S>> act(
      TypedModel<S> model, HeldState<S> state, Operation<S, A, ?> operation, A argument) {
    return model.apply(state, model.operation(operation, argument));
  }

  private ArchivedState log(String... entries) {
    ArchivedState state = model.initial();
    HeldState<SeriesState> log = logs.initial();
    for (String entry : entries) {
      ObjectModel.Change<HeldState<SeriesState>> change =
          act(logs, log, LogObject.APPEND, List.of(Bytes.utf8(entry)));
      log = change.after();
      state = model.replay(state, change.effect());
    }
    return state;
  }

  private Bytes text(String text) {
    return texts.encode(new Legible<>(text));
  }

  @Test
  void knowsStatesOfKnownTypesByTheirEffects() {
    ArchivedState state = log("a", "b");
    assertThat(state).isInstanceOf(Known.class);
    assertThat(((SeriesState) ((Known<?>) state).state()).size()).isEqualTo(2);
    ArchivedState read = model.decode(model.encode(state));
    assertThat(model.encode(read)).isEqualTo(model.encode(state));
    assertThat(model.replay(state, Bytes.EMPTY)).isSameAs(state);
  }

  @Test
  void takesOtherTypesAsTheyAreUnlessOnlyTheyUnderstandTheChange() {
    Bytes whole = act(texts, texts.initial(), SET, "a").effect();
    ArchivedState state = model.replay(model.initial(), whole);
    assertThat(state).isEqualTo(new Whole(100, text("a"), Life.ENDLESS));
    assertThat(model.encode(state)).isEqualTo(text("a"));
    ArchivedState lost =
        model.replay(state, act(texts, texts.decode(text("a")), APPEND, "b").effect());
    assertThat(lost).isInstanceOf(Unreadable.class);
    assertThat(((Unreadable) lost).why()).contains("type with number 100");
    assertThat(ArchiveModel.encoded(lost)).isEmpty();
    assertThatExceptionOfType(IllegalStateException.class)
        .as("a snapshot of what is not understood would lose it")
        .isThrownBy(() -> model.encode(lost));
    assertThat(model.replay(lost, whole)).isEqualTo(state);
  }

  private Restored restore(ArchivedState present, Bytes wanted, boolean overwrites) {
    Bytes operation = model.stage(wanted, overwrites);
    assertThat(model.canApply(present, operation, 0)).isTrue();
    assertThat(texts.canApply(texts.initial(), operation, 0)).isFalse();
    assertThat(logs.canApply(logs.initial(), operation, 0)).isFalse();
    assertThat(new ArchiveModel(List.of()).canApply(present, operation, 0)).isFalse();
    ObjectModel.Change<ArchivedState> change = model.apply(present, operation);
    Restored restored = ArchiveModel.restored(change.result());
    if (restored == Restored.DONE) {
      assertThat(ArchiveModel.encoded(change.after())).contains(wanted);
      assertThat(ArchiveModel.encoded(model.replay(present, change.effect()))).contains(wanted);
    } else {
      assertThat(change.after()).isSameAs(present);
      assertThat(change.effect().isEmpty()).isTrue();
    }
    return restored;
  }

  @Test
  void restoresWhatIsNotThereAndOverwritesOnlyIfTold() {
    Bytes counter = counters.encode(new Legible<>(7L));
    Bytes log = model.encode(log("a"));
    assertThat(restore(new Untouched(), counter, false)).isEqualTo(Restored.DONE);
    assertThat(restore(new Untouched(), text("x"), false)).isEqualTo(Restored.DONE);
    assertThat(restore(log("a"), log, true)).isEqualTo(Restored.SAME);
    assertThat(restore(log("b"), log, false)).isEqualTo(Restored.EXISTS);
    assertThat(restore(log("b"), log, true)).isEqualTo(Restored.DONE);
    assertThat(restore(log("b"), counter, true)).isEqualTo(Restored.OTHER_TYPE);
    ArchivedState lost = new Unreadable(100, "of another type", Life.ENDLESS);
    assertThat(restore(lost, text("x"), false)).isEqualTo(Restored.EXISTS);
    assertThat(restore(lost, text("x"), true)).isEqualTo(Restored.DONE);
    assertThat(restore(lost, counter, true)).isEqualTo(Restored.OTHER_TYPE);
  }

  /** Clients look once where the keys of a large map are. */
  @Test
  void neverReplacesWhatSaysWhereTheKeysOfALargeMapAre() {
    TypedModel<Optional<LargeMapLayout>> layouts = new TypedModel<>(LargeMapLayout.TYPE);
    Bytes present = layouts.encode(new Legible<>(Optional.of(new LargeMapLayout(4, 1, 2))));
    Bytes other = layouts.encode(new Legible<>(Optional.of(new LargeMapLayout(4, 1, 3))));
    for (ArchiveModel any :
        List.of(new ArchiveModel(List.of(LargeMapLayout.TYPE)), new ArchiveModel(List.of()))) {
      Bytes operation = any.stage(other, true);
      assertThat(ArchiveModel.restored(any.apply(any.decode(present), operation).result()))
          .isEqualTo(Restored.EXISTS);
      assertThat(ArchiveModel.restored(any.apply(new Untouched(), operation).result()))
          .isEqualTo(Restored.DONE);
    }
  }

  /** Those who know the type copy it like any other operation. */
  @Test
  void givesClientsOfTheTypeAnEffectThatTheyUnderstand() {
    Bytes operation = model.stage(text("restored"), false);
    Bytes effect = model.apply(new Untouched(), operation).effect();
    assertThat(texts.replay(texts.initial(), effect)).isEqualTo(new Legible<>("restored"));
    assertThat(logs.replay(logs.initial(), effect))
        .isInstanceOfSatisfying(
            HeldState.Illegible.class, other -> assertThat(other.otherType()).isEqualTo(100));
  }

  private static final Life HOUR = new Life(true, 3_600_000, true, 5_000_000);

  /** Written down and restored, an object ends when it would have ended. */
  @Test
  void keepsATimeToLiveWhateverTheType() {
    TimeToLive hour = TimeToLive.sinceLastChange(Duration.ofHours(1));
    for (boolean isKnown : List.of(true, false)) {
      ArchiveModel any = new ArchiveModel(isKnown ? List.of(TEXT) : List.of());
      ArchivedState state = any.initial();
      HeldState<String> held = texts.initial();
      for (Bytes operation :
          List.of(
              texts.operation(SET, "a"),
              LifeOperations.expireAfter(hour),
              texts.operation(SET, "b"))) {
        ObjectModel.Change<HeldState<String>> change = texts.apply(held, operation, 1_400_000);
        held = change.after();
        state = any.replay(state, change.effect());
      }
      assertThat(state.life()).isEqualTo(HOUR).isEqualTo(held.life());
      assertThat(ArchiveModel.encoded(state)).contains(texts.encode(held));
      assertThat(any.decode(texts.encode(held))).isEqualTo(state);

      Bytes operation = any.stage(texts.encode(held), false);
      ObjectModel.Change<ArchivedState> restored = any.apply(new Untouched(), operation, 0);
      assertThat(restored.after()).isEqualTo(state);
      assertThat(any.replay(new Untouched(), restored.effect())).isEqualTo(state);
      assertThat(texts.replay(texts.initial(), restored.effect())).isEqualTo(held);
      assertThat(ArchiveModel.restored(any.apply(state, operation, 0).result()))
          .isEqualTo(Restored.SAME);
    }
  }

  /** What replaces an object does not end when that would have. */
  @Test
  void overwritesTheEndTooAndTakesWhatHasEndedForNothing() {
    Bytes endless = counters.encode(new Legible<>(7L));
    Bytes mortal = counters.encode(new Legible<>(1L, HOUR));
    ArchivedState present = model.decode(mortal);
    Bytes effect = model.apply(present, model.stage(endless, true), 0).effect();
    assertThat(counters.replay(counters.decode(mortal), effect)).isEqualTo(new Legible<>(7L));
    assertThat(model.replay(present, effect)).isEqualTo(model.decode(endless));

    for (Bytes wanted : List.of(endless, text("of another type"))) {
      Bytes operation = model.stage(wanted, false);
      ObjectModel.Change<ArchivedState> anew = model.apply(present, operation, HOUR.endMillis());
      assertThat(ArchiveModel.restored(anew.result())).isEqualTo(Restored.DONE);
      assertThat(ArchiveModel.encoded(model.replay(present, anew.effect()))).contains(wanted);
    }
    Bytes operation = model.stage(endless, false);
    Bytes anew = model.apply(present, operation, HOUR.endMillis()).effect();
    assertThat(counters.replay(counters.decode(mortal), anew)).isEqualTo(new Legible<>(7L));
  }

  @Test
  void refusesToRestoreWhatIsNoState() {
    Bytes log = model.encode(log("a"));
    Bytes typeless = HOUR.around(Codec.INT.encode(0, 8, "a number"));
    for (Bytes wrong : List.of(Bytes.EMPTY, log.slice(0, log.size() - 1), typeless)) {
      assertThatExceptionOfType(MalformedValueException.class)
          .isThrownBy(() -> model.stage(wrong, true));
    }
  }

  @Test
  void takesAnyBytesWithoutAnException() {
    Random random = new Random(17);
    Bytes effect = act(logs, logs.initial(), LogObject.APPEND, List.of(Bytes.utf8("a"))).effect();
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = (i % 2 == 0 ? effect : text("abc")).toByteArray();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      Bytes changed = Bytes.wrap(bytes).slice(0, random.nextInt(bytes.length + 1));
      assertThat(model.decode(changed)).isNotNull();
      assertThat(model.replay(log("a"), changed)).isNotNull();
      assertThat(model.replay(model.initial(), changed)).isNotNull();
    }
  }
}
