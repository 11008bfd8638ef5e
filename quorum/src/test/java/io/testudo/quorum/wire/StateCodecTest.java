package io.testudo.quorum.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnated;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Witnessed;
import io.testudo.quorum.wire.WireException.Fault;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class StateCodecTest {
  private static final StateCodec CODEC = new StateCodec(PingTypes.ALL);

  private static void assertRefused(byte[] record, Fault fault) {
    assertThatThrownBy(() -> CODEC.decode(record))
        .asInstanceOf(InstanceOfAssertFactories.type(WireException.class))
        .extracting(WireException::fault)
        .isEqualTo(fault);
  }

  @Test
  void readsWhatItWrote() throws WireException {
    Witnessed witnessed = new Witnessed(new ServerId(63), Long.MAX_VALUE);

    assertThat(CODEC.decode(CODEC.encode(witnessed))).isEqualTo(witnessed);
    assertThat(CODEC.decode(CODEC.encode(new Incarnated(1)))).isEqualTo(new Incarnated(1));
  }

  @Test
  void refusesARecordOfANewerVersionInsteadOfForgettingIt() {
    assertRefused(new byte[] {99, 8, 1}, Fault.UNKNOWN_TYPE);
  }

  @Test
  void refusesAMessageOnDisk() {
    assertRefused(new byte[] {1}, Fault.MALFORMED);
  }

  @Test
  void refusesNothingAndTooMuch() {
    assertRefused(new byte[0], Fault.TRUNCATED);
    byte[] tooLong = new byte[PingTypes.INCARNATED.maxBytes() + 2];
    tooLong[0] = 3;
    assertRefused(tooLong, Fault.OVERSIZE);
  }
}
