package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.SnapshotBody;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.typed.AnyObject;
import io.testudo.ordering.typed.LifeOperations;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whoever orders behind a deletion has servers drop what led to it. */
class DeletedPastTest {
  private static final Operation<String, String, Integer> APPEND =
      Operation.of(1, "append", Codec.STRING, Codec.INT)
          .changing((text, more) -> Change.to(text + more, text.length()));
  private static final TypedModel<String> TEXT =
      new TypedModel<>(ObjectType.of(100, "text", Codec.STRING, "").with(APPEND));

  private long sequence;

  private SubmittedOperation operation(Bytes body) {
    sequence++;
    return new SubmittedOperation(new OpId(1, sequence), sequence - 1, body, Optional.empty());
  }

  /** Has an operation ordered and chosen; the snapshot that servers are sent with that, if any. */
  private Optional<LogSnapshot> order(ClientObject<?> object, Bytes body) {
    object.hear(new ServerId(0), operation(body), true);
    Entry entry = object.extendTip(0).orElseThrow();
    object.tipWasChosen();
    object.lastCommit = new Statement(new Rank(1, 1), entry.state(), Optional.empty());
    Optional<LogSnapshot> snapshot = object.takeSnapshot();
    assertThat(EntryBody.read(entry.body()).snapshotDigest())
        .isEqualTo(snapshot.map(LogSnapshot::digest));
    return snapshot;
  }

  private static ClientObject<?> object(ObjectModel<?> model) {
    return new ClientObject<>("it", model, 2, 512);
  }

  @Test
  void hasASnapshotOfNothingTakeThePlaceOfIt() {
    ClientObject<?> object = object(TEXT);
    for (int i = 0; i < 10; i++) {
      assertThat(order(object, TEXT.operation(APPEND, "much"))).isEmpty();
    }
    assertThat(order(object, LifeOperations.delete())).isEmpty();
    LogSnapshot nothing = order(object, LifeOperations.settle()).orElseThrow();
    assertThat(SnapshotBody.read(nothing.body()).isAbsent()).isTrue();
    assertThat(SnapshotBody.read(nothing.body()).state()).isEqualTo(Bytes.EMPTY);
    assertThat(object.history.entries()).isEqualTo(1);
    assertThat(order(object, LifeOperations.settle())).as("once is enough").isEmpty();

    assertThat(order(object, TEXT.operation(APPEND, "anew"))).isEmpty();
    assertThat(order(object, LifeOperations.delete())).isEmpty();
    assertThat(order(object, TEXT.operation(APPEND, "again")))
        .as("whatever comes next does it")
        .isPresent();
  }

  @Test
  void canBeDeletedByWhoKnowsNothingOfIt() {
    ClientObject<?> typed = object(TEXT);
    ClientObject<?> any = object(new TypedModel<>(AnyObject.TYPE));
    typed.hear(new ServerId(0), operation(TEXT.operation(APPEND, "much")), true);
    Entry entry = typed.extendTip(0).orElseThrow();
    assertThat(any.history.add(entry)).isTrue();
    assertThat(any.settle(entry.state())).isTrue();

    assertThat(order(any, LifeOperations.delete())).isEmpty();
    LogSnapshot nothing = order(any, LifeOperations.settle()).orElseThrow();
    assertThat(SnapshotBody.read(nothing.body()).isAbsent()).isTrue();
  }
}
