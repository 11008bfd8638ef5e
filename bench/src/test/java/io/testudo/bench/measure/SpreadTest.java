package io.testudo.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableDoubleArray;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void takesTheMiddleOfAnOddNumber() {
    assertThat(Spread.of(30, 10, 20))
        .isEqualTo(new Spread(20, 10, 30, ImmutableDoubleArray.of(30, 10, 20)));
  }

  @Test
  void takesTheMeanOfTheTwoMiddleOnesOfAnEvenNumber() {
    assertThat(Spread.of(40, 10, 30, 20))
        .isEqualTo(new Spread(25, 10, 40, ImmutableDoubleArray.of(40, 10, 30, 20)));
  }

  @Test
  void isThatValueForOne() {
    assertThat(Spread.of(7)).isEqualTo(new Spread(7, 7, 7, ImmutableDoubleArray.of(7)));
  }
}
