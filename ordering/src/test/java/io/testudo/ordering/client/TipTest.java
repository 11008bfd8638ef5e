package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.typed.HeldState;
import io.testudo.ordering.typed.LifeOperations;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What lies ahead of a chosen state changes by whole entries or not at all. */
class TipTest {
  /** Its operations fail as no operation should. */
  private static final ObjectModel<String> FRAGILE =
      new ObjectModel<>() {
        @Override
        public String initial() {
          return "";
        }

        @Override
        public ObjectModel.Change<String> apply(String state, Bytes operation) {
          if (operation.toText().equals("!")) {
            throw new InternalError("not really");
          }
          return GrowingText.MODEL.apply(state, operation);
        }

        @Override
        public String replay(String state, Bytes effect) {
          return GrowingText.MODEL.replay(state, effect);
        }

        @Override
        public Bytes encode(String state) {
          return GrowingText.MODEL.encode(state);
        }

        @Override
        public String decode(Bytes state) {
          return GrowingText.MODEL.decode(state);
        }
      };

  private final Tip<String> tip = new Tip<>(Replica.initial(FRAGILE, "it"));

  private static List<SubmittedOperation> operations(String... bodies) {
    List<SubmittedOperation> operations = new ArrayList<>();
    for (String body : bodies) {
      operations.add(
          new SubmittedOperation(
              new OpId(1, operations.size() + 1), 0, Bytes.utf8(body), Optional.empty()));
    }
    return operations;
  }

  private Optional<Entry> extend(String... bodies) {
    return tip.extend(operations(bodies), 1 << 20, Optional.empty(), 0);
  }

  @Test
  void staysAsItIsIfAnOperationOfABatchEndsInAnError() {
    assertThatExceptionOfType(InternalError.class).isThrownBy(() -> extend("a", "b", "!"));
    assertThat(tip.state()).isEmpty();
    assertThat(tip.at()).isEqualTo(StateId.genesis("it"));
    assertThat(tip.outcome(operations("a").get(0).id())).isNull();

    Entry entry = extend("a", "b", "c").orElseThrow();
    assertThat(tip.state()).isEqualTo("abc");
    Tip<String> again = new Tip<>(Replica.initial(FRAGILE, "it"));
    assertThat(again.replay(List.of(entry))).isTrue();
    assertThat(again.state()).isEqualTo("abc");
  }

  private static final Operation<String, String, Integer> APPEND =
      Operation.of(1, "append", Codec.STRING, Codec.INT)
          .changing((text, more) -> Change.to(text + more, text.length()));
  private static final TypedModel<String> TEXT =
      new TypedModel<>(ObjectType.of(100, "text", Codec.STRING, "").with(APPEND));

  @Test
  void putsNothingBehindADeletionBeforeItIsChosen() {
    Replica<HeldState<String>> ground = Replica.initial(TEXT, "it");
    Tip<HeldState<String>> ahead = new Tip<>(ground);
    List<Bytes> bodies =
        List.of(TEXT.operation(APPEND, "a"), LifeOperations.delete(), TEXT.operation(APPEND, "b"));
    List<SubmittedOperation> operations = new ArrayList<>();
    for (Bytes body : bodies) {
      operations.add(
          new SubmittedOperation(new OpId(1, operations.size() + 1), 0, body, Optional.empty()));
    }
    Entry deletion = ahead.extend(operations, 1 << 20, Optional.empty(), 0).orElseThrow();
    assertThat(EntryBody.read(deletion.body()).done()).hasSize(2);
    assertThat(ahead.state()).isEqualTo(TEXT.absent());
    assertThat(ahead.extend(operations, 1 << 20, Optional.empty(), 0)).isEmpty();

    var unused = ahead.settle(deletion.state());
    assertThat(ground.sessions().isAbsent()).isTrue();
    Entry anew = ahead.extend(operations.subList(2, 3), 1 << 20, Optional.empty(), 0).orElseThrow();
    assertThat(EntryBody.read(anew.body()).done()).hasSize(1);
    assertThat(ahead.state()).isEqualTo(new HeldState.Legible<>("b"));
  }

  /**
   * Else a name that only failed operations have used could be neither made with a type nor a time.
   */
  @Test
  void isNoMoreThereAfterASnapshotThanBefore() {
    Replica<HeldState<String>> ground = Replica.initial(TEXT, "it");
    Tip<HeldState<String>> ahead = new Tip<>(ground);
    SubmittedOperation nothing =
        new SubmittedOperation(new OpId(1, 1), 0, LifeOperations.settle(), Optional.empty());
    Entry entry = ahead.extend(List.of(nothing), 1 << 20, Optional.empty(), 0).orElseThrow();
    var unused = ahead.settle(entry.state());
    assertThat(ground.state().life().isThere()).isFalse();

    Statement commit = new Statement(new Rank(1, 1), entry.state(), Optional.empty());
    LogSnapshot snapshot = new LogSnapshot(commit, ahead.encode());
    assertThat(Replica.of(TEXT, snapshot).orElseThrow().state()).isEqualTo(ground.state());
  }
}
