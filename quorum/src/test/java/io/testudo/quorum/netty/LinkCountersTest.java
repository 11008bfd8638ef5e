package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkCountersTest {
  private long nowNanos = 1;
  private final LinkCounters counters = new LinkCounters(() -> nowNanos);

  @Test
  void aFloodOfOneKindDoesNotHideTheOthers() {
    try (Logged log = new Logged(LinkCounters.class)) {
      for (int i = 0; i < 5_000; i++) {
        counters.count("flood", "10.0." + i / 256 + "." + i % 256, "one of many");
      }
      assertThat(log.lines()).hasSize(LinkCounters.MAX_LINES);
      counters.count("bad-mac", "10.9.9.9", "what matters");
      assertThat(log.lines()).last().asString().contains("bad-mac from 10.9.9.9: what matters");
    }
    assertThat(counters.count("flood")).isEqualTo(5_000);
  }

  @Test
  void saysNowAndThenHowManyMoreThereWere() {
    try (Logged log = new Logged(LinkCounters.class)) {
      for (int i = 0; i < 100; i++) {
        counters.count("flood", "10.0.0.1", "again");
      }
      nowNanos += LinkCounters.WHILE_NANOS + 1;
      counters.count("flood", "10.0.0.1", "again");
      assertThat(log.lines()).hasSize(2).last().asString().contains("after 99 more");
    }
  }

  @Test
  void whatAPeerSaysIsCutAndPlain() {
    try (Logged log = new Logged(LinkCounters.class)) {
      counters.count("kind", "10.0.0.1", "\u001b[2J" + "x".repeat(100_000));
      assertThat(log.lines())
          .singleElement()
          .asString()
          .hasSizeLessThan(400)
          .doesNotContain("\u001b");
    }
  }
}
