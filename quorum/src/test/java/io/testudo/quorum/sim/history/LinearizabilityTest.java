package io.testudo.quorum.sim.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.sim.history.Linearizability.Verdict;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Histories of a register that holds a number: {@code write(x)} is answered 0, a read its value.
 */
class LinearizabilityTest {
  private static final String OBJECT = "register";

  /** What is asked of the register: a number to write, or nothing to read it. */
  private record Ask(Optional<Integer> written) {
    @Override
    public String toString() {
      return written.map(number -> "write " + number).orElse("read");
    }
  }

  private static final Specification<Integer, Ask, Integer> REGISTER =
      new Specification<>() {
        @Override
        public Integer initial() {
          return 0;
        }

        @Override
        public List<Integer> after(Integer state, Ask asked, Integer answer) {
          if (asked.written().isPresent()) {
            return List.of(asked.written().get());
          }
          return answer.equals(state) ? List.of(state) : List.of();
        }

        @Override
        public List<Integer> afterUnknown(Integer state, Ask asked) {
          return List.of(asked.written().orElse(state));
        }

        @Override
        public boolean isRead(Ask asked) {
          return asked.written().isEmpty();
        }
      };

  private final RecordedHistory<Ask, Integer> history = new RecordedHistory<>();

  private RecordedHistory<Ask, Integer>.Operation write(int number) {
    return history.called(OBJECT, new Ask(Optional.of(number)));
  }

  private RecordedHistory<Ask, Integer>.Operation read() {
    return history.called(OBJECT, new Ask(Optional.empty()));
  }

  private Verdict verdict() {
    return Linearizability.check(REGISTER, history).verdict();
  }

  @Test
  void takesOneOperationAfterTheOther() {
    write(1).returned(0);
    read().returned(1);
    write(2).returned(0);
    read().returned(2);
    assertThat(verdict()).isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void rejectsAReadOfWhatWasOverwritten() {
    write(1).returned(0);
    write(2).returned(0);
    read().returned(1);
    Linearizability.Result result = Linearizability.check(REGISTER, history);
    assertThat(result.verdict()).isEqualTo(Verdict.NOT_LINEARIZABLE);
    assertThat(result.explanation()).contains("2 of 3").contains("read -> 1");
  }

  @Test
  void letsAReadSeeAWriteThatIsUnderWayOrNot() {
    var writing = write(1);
    read().returned(0);
    read().returned(1);
    writing.returned(0);
    assertThat(verdict()).isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void rejectsReadsThatGoBackInTime() {
    var writing = write(1);
    read().returned(1);
    read().returned(0);
    writing.returned(0);
    assertThat(verdict()).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void letsAnOpenWriteHappenLongAfterItWasGivenUpOrNever() {
    write(1); // Nobody ever heard of it.
    read().returned(0);
    assertThat(verdict()).isEqualTo(Verdict.LINEARIZABLE);
    write(2).returned(0);
    read().returned(2);
    read().returned(1);
    assertThat(verdict()).isEqualTo(Verdict.LINEARIZABLE);
    write(3).returned(0);
    read().returned(1); // It happened already, and only once.
    assertThat(verdict()).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void forgetsWhatDidNotHappen() {
    var writing = write(1);
    writing.didNotHappen();
    read().returned(1);
    assertThat(verdict()).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void looksAtEachObjectByItself() {
    write(1).returned(0);
    history.called("other", new Ask(Optional.empty())).returned(0);
    assertThat(verdict()).isEqualTo(Verdict.LINEARIZABLE);
    history.called("other", new Ask(Optional.empty())).returned(1);
    assertThat(verdict()).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void followsAllStatesThatMayComeOfAnOperationWithSeveralOutcomes() {
    // A die: who throws it does not hear the number, who looks does.
    Specification<Integer, String, Integer> die =
        new Specification<>() {
          @Override
          public Integer initial() {
            return 1;
          }

          @Override
          public List<Integer> after(Integer state, String asked, Integer answer) {
            if (asked.equals("throw")) {
              return List.of(1, 2, 3, 4, 5, 6);
            }
            return answer.equals(state) ? List.of(state) : List.of();
          }

          @Override
          public List<Integer> afterUnknown(Integer state, String asked) {
            return asked.equals("throw") ? List.of(1, 2, 3, 4, 5, 6) : List.of(state);
          }
        };
    RecordedHistory<String, Integer> thrown = new RecordedHistory<>();
    thrown.called("die", "throw").returned(0);
    thrown.called("die", "look").returned(6);
    assertThat(Linearizability.check(die, thrown).isLinearizable()).isTrue();
    thrown.called("die", "look").returned(5);
    assertThat(Linearizability.check(die, thrown).isLinearizable()).isFalse();
  }

  @Test
  void saysSoWhenItGivesUp() {
    // Many concurrent writes, and a read that none of them explains: all orders would be tried.
    List<RecordedHistory<Ask, Integer>.Operation> writing = new ArrayList<>();
    for (int i = 1; i <= 14; i++) {
      writing.add(write(i));
    }
    read().returned(99);
    writing.forEach(one -> one.returned(0));
    Linearizability.Result result = Linearizability.check(REGISTER, history, 1_000);
    assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(result.configurations()).isLessThan(1_100);
  }

  @Test
  void decidesTwoThousandOperationsOfTenClientsAndRefusesMore() {
    Entropy entropy = Entropy.seeded(3);
    Deque<Runnable> underWay = new ArrayDeque<>();
    int state = 0;
    for (int i = 0; i < Linearizability.MAX_OPERATIONS; i++) {
      if (entropy.chance(0.5)) {
        var writing = write(i);
        if (entropy.chance(0.98)) {
          underWay.add(() -> writing.returned(0)); // A few stay open.
        }
        state = i;
      } else {
        var reading = read();
        int seen = state;
        underWay.add(() -> reading.returned(seen));
      }
      if (underWay.size() >= 10) {
        underWay.remove().run();
      }
    }
    underWay.forEach(Runnable::run);
    assertThat(verdict()).isEqualTo(Verdict.LINEARIZABLE);
    read();
    assertThatThrownBy(this::verdict).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void agreesWithTryingEveryOrderOnSmallHistories() {
    int linearizable = 0;
    for (int seed = 0; seed < 800; seed++) {
      RecordedHistory<Ask, Integer> small = smallHistory(Entropy.seeded(seed));
      boolean expected = EveryOrder.explains(REGISTER, small.of(OBJECT));
      assertThat(Linearizability.check(REGISTER, small).isLinearizable())
          .as("seed %s: %s", seed, small.of(OBJECT))
          .isEqualTo(expected);
      linearizable += expected ? 1 : 0;
    }
    assertThat(linearizable).isBetween(150, 650); // Both answers come up often.
  }

  private static RecordedHistory<Ask, Integer> smallHistory(Entropy entropy) {
    RecordedHistory<Ask, Integer> small = new RecordedHistory<>();
    List<Runnable> underWay = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      boolean isRead = entropy.chance(0.5);
      var operation =
          small.called(
              OBJECT, new Ask(isRead ? Optional.empty() : Optional.of(1 + entropy.nextInt(2))));
      int answer = isRead ? entropy.nextInt(3) : 0;
      if (entropy.chance(0.8)) {
        underWay.add(() -> operation.returned(answer));
      }
      while (!underWay.isEmpty() && entropy.chance(0.4)) {
        underWay.remove(entropy.nextInt(underWay.size())).run();
      }
    }
    underWay.forEach(Runnable::run);
    return small;
  }
}
