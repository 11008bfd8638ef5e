package io.testudo.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.bench.driver.PeerWork.Kind;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerWorkTest {
  @Test
  void isSaidInALine() {
    PeerWork work = new PeerWork(Kind.LOCK, Use.ASYNC, Sharing.SEPARATE, 32, 1);
    assertThat(work.line()).isEqualTo("lock async separate 32 1");
    assertThat(PeerWork.parse(List.of(work.line().split(" ")))).isEqualTo(work);
    assertThat(work.clients()).isEqualTo(32);
    assertThat(new PeerWork(Kind.LOCK, Use.ASYNC, Sharing.SHARED, 32, 1).clients()).isEqualTo(1);
  }

  @Test
  void refusesWhatIsNoWork() {
    assertThatThrownBy(() -> PeerWork.parse(List.of("lock", "async")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PeerWork.parse(List.of("lock", "idle", "shared", "1", "1")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PeerWork(Kind.LOCK, Use.ASYNC, Sharing.SHARED, 2, 3))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
