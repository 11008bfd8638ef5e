package io.testudo.quorum.wire;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.junit.GoldenBytes;
import io.testudo.quorum.ping.Incarnated;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Leap;
import io.testudo.quorum.ping.Pardon;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.ping.Witnessed;

class GoldenBytesTest extends GoldenBytes {
  private static final ImmutableMap<String, Object> SAMPLES =
      ImmutableMap.of(
          "Ping", new Ping(0x0123456789abcdefL, Incarnations.of(1, 0, 300, Long.MAX_VALUE)),
          "Pong",
              new Pong(
                  -2,
                  new ServerId(3),
                  7,
                  300,
                  ImmutableList.of(new Leap(2, 5)),
                  Incarnations.of(1, 2, 0, 4)),
          "Incarnated", new Incarnated(7),
          "Witnessed", new Witnessed(new ServerId(63), 1_000_000),
          "Pardon", new Pardon(300, new ServerId(2)));

  GoldenBytesTest() {
    super(PingTypes.ALL, "golden/v1/ping.txt", SAMPLES);
  }
}
