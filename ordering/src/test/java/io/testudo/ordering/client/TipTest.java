package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.SubmittedOperation;
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
        public Change<String> apply(String state, Bytes operation) {
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
    return tip.extend(operations(bodies), 1 << 20, Optional.empty());
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
}
