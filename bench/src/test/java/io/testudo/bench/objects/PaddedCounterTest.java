package io.testudo.bench.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.bench.objects.CounterModel.Counter;
import io.testudo.ordering.client.ObjectModel.Change;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CounterModelTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 8, 1_024, 1_025, 10_000})
  void replayingAndDecodingGiveTheStateThatApplyingGave(int ballastBytes) {
    CounterModel model = new CounterModel(ballastBytes);
    Counter applied = model.initial();
    Counter replayed = model.initial();
    for (int i = 1; i <= 3_000; i++) {
      Change<Counter> change = model.apply(applied, CounterModel.INCREMENT);
      assertThat(CounterModel.count(change.result())).isEqualTo(i);
      assertThat(change.effect().size()).isLessThanOrEqualTo(Long.BYTES);
      applied = change.after();
      replayed = model.replay(replayed, change.effect());
    }
    assertThat(model.encode(applied).size()).isEqualTo(Long.BYTES + ballastBytes);
    assertThat(model.encode(replayed)).isEqualTo(model.encode(applied));
    assertThat(model.encode(model.decode(model.encode(applied)))).isEqualTo(model.encode(applied));
    assertThat(model.initial().count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 2_048})
  void incrementsReachAllOfTheStateAndLeaveTheStateBeforeAlone(int ballastBytes) {
    CounterModel model = new CounterModel(ballastBytes);
    Counter before = model.initial();
    Counter state = before;
    for (int i = 0; i < ballastBytes / Long.BYTES; i++) {
      state = model.apply(state, CounterModel.INCREMENT).after();
    }
    byte[] after = model.encode(state).toByteArray();
    for (int place = 1; place <= ballastBytes / Long.BYTES; place++) {
      assertThat(after[place * Long.BYTES + 7] | after[place * Long.BYTES + 6]).isNotZero();
    }
    assertThat(model.encode(before).toByteArray()).containsOnly(0);
  }
}
