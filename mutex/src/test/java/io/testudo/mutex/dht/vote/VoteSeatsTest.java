package io.testudo.mutex.dht.vote;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.protocol.Moment;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class VoteSeatsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final NodeId PLACE = new NodeId(7);
  private static final Moment NOW = new Moment(10 * SECOND, 1_000_000);

  private static VoteSeats ofOne() {
    return new VoteSeats("x", SigmaProtocol.CRASHES.thresholds(1, 0, 1), LockTiming.standard());
  }

  /** The vote was lost and given anew, by a message that asked for less. */
  @Test
  void theLeaseOfAVoteThatIsOverDoesNotCountForTheNext() {
    VoteSeats seats = ofOne();
    VoteSeat seat = seats.all().get(0);
    seats.answered(PLACE, 0, true, new GrantId(1, 1), seat.next(NOW, 30 * SECOND), NOW);
    seats.answered(PLACE, 0, true, new GrantId(2, 1), seat.next(NOW, SECOND), NOW);
    Term lease = Objects.requireNonNull(seats.lease(NOW));
    assertThat(lease.lengthNanos()).isEqualTo(SECOND);
  }

  /** A replica that began anew has said that its vote is another's. */
  @Test
  void whatTheFormerReplicaSaidLateDoesNotCount() {
    VoteSeats seats = ofOne();
    VoteSeat seat = seats.all().get(0);
    seats.answered(PLACE, 0, true, new GrantId(1, 1), seat.next(NOW, SECOND), NOW);
    long second = seat.next(NOW, 30 * SECOND);
    seats.answered(PLACE, 0, false, new GrantId(2, 1), seat.next(NOW, 30 * SECOND), NOW);
    seats.answered(PLACE, 0, true, new GrantId(1, 1), second, NOW);
    assertThat(seats.lease(NOW)).isNull();
  }
}
