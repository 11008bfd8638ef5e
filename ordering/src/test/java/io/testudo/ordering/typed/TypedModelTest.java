package io.testudo.ordering.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.typed.HeldState.Illegible;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.quorum.Bytes;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A type as the protocol sees it: never an exception, nothing lost. */
class TypedModelTest {
  private static final Operation<String, String, Integer> REPLACE =
      Operation.of(1, "replace", Codec.STRING, Codec.INT)
          .changing((text, other) -> Change.to(other, other.length()));
  private static final Operation<String, String, Integer> APPEND =
      Operation.of(2, "append", Codec.STRING, Codec.INT)
          .changing(
              Codec.STRING,
              (text, more) -> Change.to(more, text.length() + more.length()),
              String::concat);
  private static final Operation<String, Nothing, String> LOOK =
      Operation.of(3, "look", Codec.STRING).changing((text, nothing) -> Change.none(text));
  private static final Operation<String, Nothing, String> FAIL =
      Operation.of(4, "fail", Codec.STRING)
          .changing(
              (text, nothing) -> {
                throw new IllegalStateException("not on a Sunday");
              });
  private static final Operation<String, Nothing, Integer> DOUBLE =
      Operation.of(5, "double", Codec.INT)
          .changing(
              Codec.NOTHING,
              (text, nothing) -> Change.to(nothing, 2 * text.length()),
              (text, nothing) -> text + text);

  private static final Operation<String, Integer, Integer> ASSERT =
      Operation.of(6, "assert", Codec.INT, Codec.INT)
          .changing(
              (text, what) -> {
                switch (what) {
                  case 1 -> throw new AssertionError("never happens");
                  case 2 -> throw new ExceptionInInitializerError("no class");
                  case 3 -> throw new Mute();
                  case 123_456_789 -> throw new InternalError("not really");
                  default -> throw new Mute();
                }
              });
  private static final Operation<String, Nothing, Integer> RECURSE =
      Operation.of(7, "recurse", Codec.INT)
          .changing((text, nothing) -> Change.to(text, deep(text)));

  @SuppressWarnings("InfiniteRecursion")
  private static int deep(String text) {
    return 1 + deep(text);
  }

  /** Cannot even say what went wrong. */
  private static final class Mute extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new AssertionError("nothing to say");
    }
  }

  private static final ObjectType<String> OLD =
      ObjectType.of(100, "text", Codec.STRING, "").with(REPLACE).with(LOOK);
  private static final ObjectType<String> TYPE =
      OLD.with(APPEND).with(FAIL).with(DOUBLE).with(ASSERT).with(RECURSE);
  private static final ObjectType<String> NEXT =
      TYPE.next(Codec.STRING.mapped(text -> text.substring(1), text -> "2" + text));
  private static final ObjectType<Long> OTHER =
      ObjectType.of(101, "number", Codec.LONG, 0L)
          .with(
              Operation.of(1, "set", Codec.LONG, Codec.NOTHING)
                  .changing((before, value) -> Change.to(value, Nothing.NOTHING)));

  private final TypedModel<String> model = new TypedModel<>(TYPE);

  private static HeldState<String> text(String text) {
    return new Legible<>(text);
  }

  private <A, R> ObjectModel.Change<HeldState<String>> apply(
      HeldState<String> state, Operation<String, A, R> operation, A argument) {
    Bytes bytes = model.operation(operation, argument);
    assertThat(model.canApply(state, bytes, 0)).isTrue();
    return model.apply(state, bytes);
  }

  @Test
  void doesAgainFromTheEffectWhatAnOperationDid() {
    ObjectModel.Change<HeldState<String>> replaced = apply(text("a"), REPLACE, "abc");
    assertThat(replaced.after()).isEqualTo(text("abc"));
    assertThat(model.result("it", REPLACE, replaced.result())).isEqualTo(3);
    assertThat(model.replay(text("a"), replaced.effect())).isEqualTo(text("abc"));

    ObjectModel.Change<HeldState<String>> appended = apply(text("abc"), APPEND, "de");
    assertThat(appended.after()).isEqualTo(text("abcde"));
    assertThat(model.replay(text("abc"), appended.effect())).isEqualTo(text("abcde"));

    ObjectModel.Change<HeldState<String>> looked = apply(text("abc"), LOOK, Nothing.NOTHING);
    assertThat(looked.effect()).isEqualTo(Bytes.EMPTY);
    assertThat(model.replay(text("abc"), looked.effect())).isEqualTo(text("abc"));
  }

  @Test
  void readsItsOwnStates() {
    assertThat(model.decode(model.encode(text("abc")))).isEqualTo(text("abc"));
    assertThat(model.initial()).isEqualTo(new Legible<>("", Life.NONE));
  }

  @Test
  void changesNothingIfAnOperationThrowsAndTellsItsSubmitterWhy() {
    ObjectModel.Change<HeldState<String>> failed = apply(text("abc"), FAIL, Nothing.NOTHING);
    assertThat(failed.after()).isEqualTo(text("abc"));
    assertThat(failed.effect()).isEqualTo(Bytes.EMPTY);
    assertThatExceptionOfType(OperationFailedException.class)
        .isThrownBy(() -> model.result("it", FAIL, failed.result()))
        .withMessageStartingWith("Operation fail on 'it' failed: not on a Sunday: it did not")
        .satisfies(e -> assertThat(e.reason()).isEqualTo("not on a Sunday"));
  }

  @Test
  void changesNothingIfAnOperationEndsInAnErrorOfTheApplication() {
    for (int what = 1; what <= 3; what++) {
      ObjectModel.Change<HeldState<String>> failed = apply(text("abc"), ASSERT, what);
      assertThat(failed.after()).isEqualTo(text("abc"));
      assertThat(failed.effect()).isEqualTo(Bytes.EMPTY);
      assertThatExceptionOfType(OperationFailedException.class)
          .isThrownBy(() -> model.result("it", ASSERT, failed.result()));
    }
    ObjectModel.Change<HeldState<String>> failed = apply(text("abc"), RECURSE, Nothing.NOTHING);
    assertThat(failed.after()).isEqualTo(text("abc"));
    assertThatExceptionOfType(OperationFailedException.class)
        .isThrownBy(() -> model.result("it", RECURSE, failed.result()))
        .withMessageContaining("StackOverflowError");
    assertThatExceptionOfType(InternalError.class)
        .isThrownBy(() -> apply(text("abc"), ASSERT, 123_456_789));
  }

  @Test
  void changesNothingIfTheStateWouldBeTooLargeWhoeverWouldMakeItSo() {
    String half = "x".repeat(ObjectLimits.MAX_STATE_BYTES / 2 + 1);
    for (ObjectType<String> type : List.of(TYPE, TYPE.sized(String::length))) {
      TypedModel<String> sized = new TypedModel<>(type);
      ObjectModel.Change<HeldState<String>> doubled =
          sized.apply(text(half), sized.operation(DOUBLE, Nothing.NOTHING));
      assertThat(doubled.after()).isEqualTo(text(half));
      assertThat(doubled.effect()).isEqualTo(Bytes.EMPTY);
      assertThatExceptionOfType(ValueTooLargeException.class)
          .isThrownBy(() -> sized.result("it", DOUBLE, doubled.result()))
          .withMessageContaining("too large: the state of text has more than");
    }
    ObjectModel.Change<HeldState<String>> looked = apply(text(half), LOOK, Nothing.NOTHING);
    assertThatExceptionOfType(ValueTooLargeException.class)
        .isThrownBy(() -> model.result("it", LOOK, looked.result()))
        .withMessageContaining("too large: the result of look has more than");
  }

  @Test
  void sendsNoArgumentThatIsTooLarge() {
    String large = "x".repeat(ObjectLimits.MAX_ARGUMENT_BYTES);
    assertThatExceptionOfType(ValueTooLargeException.class)
        .isThrownBy(() -> model.operation(REPLACE, large))
        .withMessageContaining("too large: the argument of replace has more than");
  }

  @Test
  void leavesOperationsThatItDoesNotKnowToOthers() {
    TypedModel<String> old = new TypedModel<>(OLD);
    Bytes append = model.operation(APPEND, "x");
    assertThat(old.canApply(text(""), append, 0)).isFalse();
    assertThat(model.canApply(text(""), append, 0)).isTrue();
    assertThat(old.canApply(text(""), Bytes.EMPTY, 0)).isFalse();
    TypedModel<Long> other = new TypedModel<>(OTHER);
    assertThat(other.canApply(other.initial(), model.operation(REPLACE, "x"), 0)).isFalse();
  }

  @Test
  void stopsReadingAtADeltaThatItDoesNotKnowAndGoesOnAtTheNextWholeState() {
    TypedModel<String> old = new TypedModel<>(OLD);
    HeldState<String> after = old.replay(text("a"), apply(text("a"), APPEND, "b").effect());
    assertThat(after).isInstanceOf(Illegible.class);
    assertThat(((Illegible<String>) after).why()).contains("operation 2 of text(100, version 1)");
    assertThat(old.canApply(after, old.operation(REPLACE, "x"), 0)).isFalse();

    HeldState<String> whole = old.replay(after, apply(text("ab"), REPLACE, "c").effect());
    assertThat(whole).isEqualTo(text("c"));
  }

  @Test
  void readsEarlierVersionsAndNotLaterOnes() {
    TypedModel<String> next = new TypedModel<>(NEXT);
    assertThat(next.decode(model.encode(text("abc")))).isEqualTo(text("abc"));
    assertThat(next.decode(next.encode(text("abc")))).isEqualTo(text("abc"));
    HeldState<String> later = model.decode(next.encode(text("abc")));
    assertThat(((Illegible<String>) later).why())
        .isEqualTo("version 2 of text wrote it, this client has version 1; give it a newer one");
  }

  @Test
  void cannotReadWhatAnotherTypeWrote() {
    TypedModel<Long> other = new TypedModel<>(OTHER);
    assertThat(((Illegible<Long>) other.decode(model.encode(text("a")))).why())
        .isEqualTo(
            "it is of the type with number 100, not number(101, version 1); open it with its own"
                + " type");
    assertThat(other.replay(other.initial(), apply(text(""), REPLACE, "a").effect()))
        .isInstanceOf(Illegible.class);
  }

  @Test
  void takesAnyBytesWithoutAnException() {
    Random random = new Random(1);
    Bytes effect = apply(text("a"), APPEND, "bcd").effect();
    Bytes state = model.encode(text("abc"));
    Bytes operation = model.operation(APPEND, "xyz");
    for (int i = 0; i < 20_000; i++) {
      assertThat(model.decode(mutated(state, random))).isNotNull();
      assertThat(model.replay(text("a"), mutated(effect, random))).isNotNull();
      Bytes asked = mutated(operation, random);
      if (model.canApply(text("a"), asked, 0)) {
        assertThat(model.apply(text("a"), asked).result()).isNotNull();
      }
    }
  }

  private static Bytes mutated(Bytes bytes, Random random) {
    byte[] changed = bytes.toByteArray();
    for (int changes = random.nextInt(3); changes >= 0; changes--) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    return Bytes.wrap(changed).slice(0, 1 + random.nextInt(changed.length));
  }

  @Test
  void numbersOperationsApart() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> TYPE.with(REPLACE))
        .withMessageContaining("replace(1) and replace(1) with one number");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Operation.of(0, "none", Codec.LONG));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> ObjectType.of(0, "none", Codec.LONG, 0L));
  }
}
