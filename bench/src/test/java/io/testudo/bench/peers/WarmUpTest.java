package io.testudo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Kind;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import io.testudo.bench.peers.PeerCases.Case;
import java.util.Collection;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** How long a system is warmed up, and by what. */
class WarmUpTest {
  private static final Peer PEER = FakePeers.driven("fake");

  private final WarmUp warmUp =
      new WarmUp(PEER, new PeerWork(Kind.INCREMENT, Use.BLOCKING, Sharing.SHARED, 32, 1));

  private void ran(double... rates) {
    DoubleStream.of(rates).forEach(warmUp::ran);
  }

  @Test
  void goesOnWhileItGetsFaster() {
    ran(100, 200, 300, 450, 700);
    assertThat(warmUp.isOver()).isFalse();
    ran(710, 720);
    assertThat(warmUp.isOver()).isTrue();
  }

  @Test
  void endsNotWithOneSlowRun() {
    ran(100, 200, 150);
    assertThat(warmUp.isOver()).isFalse();
    ran(400, 300);
    assertThat(warmUp.isOver()).isFalse();
    ran(400);
    assertThat(warmUp.isOver()).isTrue();
  }

  @Test
  void endsForOneThatFails() {
    ran(0);
    assertThat(warmUp.isDuty()).isTrue();
    ran(0);
    assertThat(warmUp.isDuty()).isFalse();
    assertThat(warmUp.isOver()).isTrue();
  }

  @Test
  void endsAtLastForOneThatGetsFasterForEver() {
    for (int i = 0; i < WarmUp.MOST_RUNS; i++) {
      assertThat(warmUp.isOver()).isFalse();
      ran(Math.pow(2, i));
    }
    assertThat(warmUp.isOver()).isTrue();
  }

  @Test
  void someWaitAtEachLockMeanwhile() {
    List<PeerWork> columns =
        PeerCases.columns(List.of(Case.values()), List.of(Use.values()), List.of(Sharing.values()));
    Collection<PeerWork> works = PeerCases.warmUps(PEER, columns);
    assertThat(works).hasSize(6);
    assertThat(works)
        .filteredOn(work -> work.kind() == Kind.LOCK)
        .hasSize(3)
        .allMatch(work -> work.callers() > work.objects() && work.objects() > 1);
  }
}
