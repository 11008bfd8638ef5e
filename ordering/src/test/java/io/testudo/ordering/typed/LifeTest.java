package io.testudo.ordering.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.ObjectTypeException;
import io.testudo.ordering.Operation;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.log.TypeLabel;
import io.testudo.ordering.typed.HeldState.Illegible;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deletion and times to live, of objects of any type. */
class LifeTest {
  private static final Operation<String, String, Integer> APPEND =
      Operation.of(1, "append", Codec.STRING, Codec.INT)
          .changing((text, more) -> Change.to(text + more, text.length()));
  private static final Operation<String, Nothing, Integer> LENGTH =
      Operation.of(2, "length", Codec.INT).changing((text, any) -> Change.none(text.length()));
  private static final Operation<Long, Long, Long> ADD =
      Operation.of(1, "add", Codec.LONG, Codec.LONG)
          .changing((value, more) -> Change.to(value + more, value + more));
  private static final TypedModel<String> TEXT =
      new TypedModel<>(ObjectType.of(100, "text", Codec.STRING, "").with(APPEND).with(LENGTH));
  private static final TypedModel<Long> NUMBER =
      new TypedModel<>(ObjectType.of(101, "number", Codec.LONG, 0L).with(ADD));
  private static final TypedModel<Nothing> ANY = new TypedModel<>(AnyObject.TYPE);
  private static final TimeToLive SECOND = TimeToLive.of(Duration.ofSeconds(1));

  /** Applies an operation, and checks that whoever copies the effect has the same. */
  private static <S> HeldState<S> after(
      TypedModel<S> model, HeldState<S> state, Bytes operation, long millis) {
    assertThat(model.canApply(state, operation, millis)).isTrue();
    ObjectModel.Change<HeldState<S>> change = model.apply(state, operation, millis);
    assertThat(model.replay(state, change.effect())).isEqualTo(change.after());
    if (change.after().life().isThere()) {
      assertThat(model.decode(model.encode(change.after()))).isEqualTo(change.after());
    }
    return change.after();
  }

  private static HeldState<String> text(String text) {
    return after(TEXT, TEXT.initial(), TEXT.operation(APPEND, text), 0);
  }

  @Test
  void isAsNewWhenItWasDeleted() {
    ObjectModel.Change<HeldState<String>> change = TEXT.apply(text("abc"), LifeOperations.delete());
    assertThat(change.deletes()).isTrue();
    assertThat(TEXT.told("it", change.result())).isTrue();
    assertThat(change.after()).isEqualTo(TEXT.initial());
    assertThat(TEXT.replay(text("abc"), change.effect())).isEqualTo(TEXT.initial());

    ObjectModel.Change<HeldState<String>> again =
        TEXT.apply(change.after(), LifeOperations.delete());
    assertThat(again.deletes()).isFalse();
    assertThat(again.effect()).isEqualTo(Bytes.EMPTY);
    assertThat(TEXT.told("it", again.result())).isFalse();
  }

  @Test
  void canBeOfAnotherTypeThen() {
    Bytes effect = TEXT.apply(TEXT.initial(), TEXT.operation(APPEND, "abc")).effect();
    HeldState<Long> seen = NUMBER.replay(NUMBER.initial(), effect);
    assertThat(seen).isInstanceOf(Illegible.class);
    assertThat(NUMBER.canApply(seen, LifeOperations.delete(), 0)).isTrue();
    HeldState<Long> deleted = after(NUMBER, seen, LifeOperations.delete(), 0);
    assertThat(after(NUMBER, deleted, NUMBER.operation(ADD, 5L), 0)).isEqualTo(new Legible<>(5L));
  }

  @Test
  void refusesOperationsOfAnotherTypeForGood() {
    Bytes add = NUMBER.operation(ADD, 5L);
    ObjectModel.Change<HeldState<String>> refused = TEXT.apply(text("abc"), add);
    assertThat(TEXT.canApply(text("abc"), add, 0)).isTrue();
    assertThat(refused.effect()).isEqualTo(Bytes.EMPTY);
    assertThatExceptionOfType(ObjectTypeException.class)
        .isThrownBy(() -> NUMBER.result("it", ADD, refused.result()));
    assertThat(TEXT.canApply(TEXT.initial(), add, 0)).as("one who knows it may come").isFalse();
  }

  @Test
  void canBeDeletedByWhoKnowsNothingOfIt() {
    HeldState<Nothing> seen =
        ANY.replay(
            ANY.initial(), TEXT.apply(TEXT.initial(), TEXT.operation(APPEND, "abc")).effect());
    ObjectModel.Change<HeldState<Nothing>> change = ANY.apply(seen, LifeOperations.delete());
    assertThat(change.deletes()).isTrue();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> ANY.encode(seen));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> ANY.encode(ANY.initial()));
  }

  @Test
  void endsAfterItsTime() {
    HeldState<String> timed = after(TEXT, text("abc"), LifeOperations.expireAfter(SECOND), 500);
    assertThat(timed.life().isOver(1_499)).isFalse();
    assertThat(timed.life().isOver(1_500)).isTrue();
    assertThat(after(TEXT, timed, TEXT.operation(APPEND, "d"), 1_499).life().endMillis())
        .as("a change does not put it off")
        .isEqualTo(1_500);

    ObjectModel.Change<HeldState<String>> looked =
        TEXT.apply(timed, TEXT.operation(LENGTH, Nothing.NOTHING), 1_500);
    assertThat(TEXT.result("it", LENGTH, looked.result())).isZero();
    assertThat(looked.deletes()).isTrue();
    assertThat(looked.after()).isEqualTo(TEXT.initial());

    assertThat(after(TEXT, timed, TEXT.operation(APPEND, "new"), 1_500)).isEqualTo(text("new"));
    assertThat(after(TEXT, timed, LifeOperations.settle(), 1_499)).isEqualTo(timed);
    assertThat(TEXT.apply(timed, LifeOperations.settle(), 1_500).deletes()).isTrue();
    assertThat(after(TEXT, timed, LifeOperations.expireAfter(TimeToLive.ENDLESS), 600))
        .isEqualTo(text("abc"));
  }

  @Test
  void mayBeOfAnotherTypeAfterItsTime() {
    Bytes first = TEXT.apply(TEXT.initial(), TEXT.operation(APPEND, "abc"), 0).effect();
    Bytes second = TEXT.apply(text("abc"), LifeOperations.expireAfter(SECOND), 0).effect();
    HeldState<Long> seen = NUMBER.replay(NUMBER.replay(NUMBER.initial(), first), second);
    assertThat(NUMBER.apply(seen, NUMBER.operation(ADD, 5L), 999).effect()).isEqualTo(Bytes.EMPTY);
    assertThat(after(NUMBER, seen, NUMBER.operation(ADD, 5L), 1_000)).isEqualTo(new Legible<>(5L));
  }

  @Test
  void isPutOffByChangesIfThatIsWanted() {
    TimeToLive renewed = TimeToLive.sinceLastChange(Duration.ofSeconds(1));
    HeldState<String> timed = after(TEXT, text("abc"), LifeOperations.expireAfter(renewed), 0);
    HeldState<String> later = after(TEXT, timed, TEXT.operation(APPEND, "d"), 700);
    assertThat(later.life().endMillis()).isEqualTo(1_700);
    assertThat(after(TEXT, later, TEXT.operation(LENGTH, Nothing.NOTHING), 900)).isEqualTo(later);
    assertThat(after(TEXT, later, TEXT.operation(APPEND, "e"), 100).life().endMillis())
        .as("a clock that is behind takes nothing away")
        .isEqualTo(1_700);
  }

  @Test
  void isGivenATimeByWhatMakesItOnly() {
    Bytes create = LifeOperations.create(SECOND, TEXT.operation(APPEND, "abc"));
    HeldState<String> made = after(TEXT, TEXT.initial(), create, 500);
    assertThat(made).isEqualTo(text("abc").with(Life.from(SECOND, 500)));
    assertThat(after(TEXT, made, create, 1_000).life()).isEqualTo(made.life());
    assertThat(after(TEXT, text("x"), create, 0).life()).isEqualTo(Life.ENDLESS);
    assertThat(after(TEXT, made, create, 1_500).life().endMillis()).isEqualTo(2_500);
    assertThat(
            TEXT.told(
                "it", TEXT.apply(TEXT.initial(), LifeOperations.expireAfter(SECOND), 0).result()))
        .as("nothing to set it of")
        .isFalse();
  }

  @Test
  void hasALabelForWhoListsIt() {
    Bytes create = LifeOperations.create(SECOND, TEXT.operation(APPEND, "abc"));
    ObjectModel.Change<HeldState<String>> made = TEXT.apply(TEXT.initial(), create, 0);
    assertThat(TypeLabel.after(0, made.effect())).isEqualTo(100);
    assertThat(TypeLabel.after(77, TEXT.apply(made.after(), create, 2_000).effect()))
        .isEqualTo(100);
    assertThat(TypeLabel.ofState(TEXT.encode(made.after()))).isEqualTo(100);
    assertThat(TypeLabel.ofState(TEXT.encode(text("a")))).isEqualTo(100);
    assertThat(TypeLabel.after(77, LifeOperations.deleted())).isZero();
    assertThat(TypeLabel.after(0, Bytes.utf8("\u0080"))).isZero();
    Bytes lives = TEXT.apply(text("a"), LifeOperations.expireAfter(SECOND), 0).effect();
    assertThat(TypeLabel.after(100, lives)).isEqualTo(100);
    assertThat(TypeLabel.after(100, Bytes.EMPTY)).isEqualTo(100);
    assertThat(TypeLabel.ofState(Bytes.EMPTY)).isZero();
  }

  @Test
  void refusesTimesThatAreNone() {
    for (Duration wrong :
        List.of(
            Duration.ofNanos(999_999),
            Duration.ofMillis(-1),
            Duration.ofDays(365_001),
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MIN_VALUE))) {
      assertThatIllegalArgumentException().isThrownBy(() -> TimeToLive.of(wrong));
      assertThatIllegalArgumentException().isThrownBy(() -> TimeToLive.sinceLastChange(wrong));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeToLive.sinceLastChange(Duration.ZERO));
  }
}
