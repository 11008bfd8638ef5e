package io.testudo.bench.locking;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.bench.measure.MeasurementException;
import org.junit.jupiter.api.Test;

class SectionTest {
  private final Section section = new Section();

  @Test
  void letsGrowingTokensPass() {
    section.pass(1);

    assertThatCode(() -> section.pass(2)).doesNotThrowAnyException();
  }

  @Test
  void noticesATokenThatDoesNotGrow() {
    section.pass(2);

    assertThatThrownBy(() -> section.pass(2))
        .isInstanceOf(MeasurementException.class)
        .hasMessage("a fencing token did not grow");
  }
}
