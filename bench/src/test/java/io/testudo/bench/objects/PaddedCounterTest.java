package io.testudo.bench.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaddedCounterTest {
  private static Operation.Step<PaddedCounter, Long> increment(PaddedCounter counter) {
    return PaddedCounter.INCREMENT.apply(counter, Nothing.NOTHING);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 8, 1_024, 1_025, 10_000})
  void replayingAndDecodingGiveTheStateThatApplyingGave(int paddingBytes) {
    ObjectType<PaddedCounter> type = PaddedCounter.type(paddingBytes);
    PaddedCounter applied = type.initial();
    PaddedCounter replayed = type.initial();
    for (int i = 1; i <= 3_000; i++) {
      Operation.Step<PaddedCounter, Long> step = increment(applied);
      assertThat(step.result()).isEqualTo(i);
      applied = step.after();
      replayed = PaddedCounter.INCREMENT.replay(replayed, step.delta().orElseThrow());
    }
    assertThat(type.encode(applied).size()).isEqualTo(Long.BYTES + paddingBytes);
    assertThat(type.encode(replayed)).isEqualTo(type.encode(applied));
    PaddedCounter decoded = type.codec(1).orElseThrow().decode(type.encode(applied));
    assertThat(decoded.count()).isEqualTo(3_000);
    assertThat(type.encode(decoded)).isEqualTo(type.encode(applied));
    assertThat(type.initial().count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 2_048})
  void incrementsReachAllOfTheStateAndLeaveTheStateBeforeAlone(int paddingBytes) {
    ObjectType<PaddedCounter> type = PaddedCounter.type(paddingBytes);
    PaddedCounter state = type.initial();
    for (int i = 0; i < paddingBytes / Long.BYTES; i++) {
      state = increment(state).after();
    }
    byte[] after = type.encode(state).toByteArray();
    for (int place = 1; place <= paddingBytes / Long.BYTES; place++) {
      assertThat(after[place * Long.BYTES + 7] | after[place * Long.BYTES + 6]).isNotZero();
    }
    assertThat(type.encode(type.initial()).toByteArray()).containsOnly(0);
  }
}
