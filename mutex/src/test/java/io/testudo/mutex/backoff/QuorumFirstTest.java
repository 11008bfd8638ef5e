package io.testudo.mutex.backoff;

import static io.testudo.mutex.backoff.ClientStage.HOLD;
import static io.testudo.mutex.backoff.ClientStage.LEASE;
import static io.testudo.mutex.backoff.ClientStage.LOCK;
import static io.testudo.mutex.backoff.ClientStage.MILLI;
import static io.testudo.mutex.backoff.ClientStage.TIMING;
import static io.testudo.mutex.backoff.ClientStage.free;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.DrawnQuorums;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import org.junit.jupiter.api.Test;

/** A client that asks one quorum first, and the others when it must. */
class QuorumFirstTest {
  private static final int SERVERS = 7;
  private static final long FOREVER = Long.MAX_VALUE;
  private static final long TRIP = 2 * MILLI;

  private final Thresholds thresholds =
      QuorumKind.LEAST.thresholds(BackoffProtocol.ALL_SERVERS, SERVERS, 1);
  private final ClientStage stage = stage(thresholds);
  private final ServerSet drawn = new DrawnQuorums(thresholds.quorums()).of(LOCK, 0);
  private final ServerSet others = drawn.complement(SERVERS);
  private final ServerId one = drawn.iterator().next();

  private static ClientStage stage(Thresholds thresholds) {
    return new ClientStage(thresholds, Access.QUORUM, BackoffTuning.standard(), RankSeals.none());
  }

  private Try request() {
    return stage.tried(one.index());
  }

  private static Locked locked(Try request) {
    return new Locked(request.time(), request.number(), 0, SealedRank.NONE);
  }

  private ServerSet sentTo(Class<? extends Message> type) {
    ServerSet servers = ServerSet.none();
    for (ServerId server : ServerSet.firstN(thresholds.servers())) {
      servers = stage.sentTo(server.index(), type).isEmpty() ? servers : servers.with(server);
    }
    return servers;
  }

  private void grant(ServerSet servers, Try request) {
    for (ServerId server : servers) {
      stage.hear(server.index(), free(request));
    }
  }

  /** Enters and leaves, so that the client knows how long answers take. */
  private void measure() {
    long call = stage.acquire(FOREVER);
    Try request = request();
    stage.pass(TRIP);
    grant(drawn, request);
    Held held = (Held) stage.result(call);
    long unused = stage.call(new ReleaseCall(LOCK, held.token()));
  }

  @Test
  void asksItsQuorumAndNobodyElse() {
    long call = stage.acquire(FOREVER);
    Try request = request();

    assertThat(sentTo(Try.class)).isEqualTo(drawn);
    stage.pass(TRIP);
    grant(drawn.without(one), request);
    assertThat(stage.result(call)).isEqualTo("none yet");
    stage.hear(one.index(), free(request));
    assertThat(stage.result(call)).isInstanceOf(Held.class);
    assertThat(sentTo(Try.class)).isEqualTo(ServerSet.none());

    long unused = stage.call(new ReleaseCall(LOCK, ((Held) stage.result(call)).token()));
    assertThat(sentTo(Release.class)).isEqualTo(drawn);
    assertThat(stage.timers()).isZero();
  }

  @Test
  void asksTheOthersWhenOneIsLateByWhatWasMeasured() {
    measure();
    long call = stage.acquire(FOREVER);
    Try request = request();
    stage.pass(TRIP);
    grant(drawn.without(one), request);
    stage.pass(TRIP / 2);

    assertThat(sentTo(Try.class)).isEqualTo(others);
    grant(ServerSet.of(others.iterator().next()), request);
    assertThat(stage.result(call)).isInstanceOf(Held.class);
  }

  @Test
  void whatIsGrantedLaterCountsFromTheFirstSendToo() {
    measure();
    Moment sent = stage.now();
    long call = stage.acquire(FOREVER);
    Try request = request();
    stage.pass(2 * TRIP);
    Try later = stage.tried(others.iterator().next().index());

    assertThat(later).isEqualTo(request);
    grant(drawn.without(one).with(others.iterator().next()), request);
    assertThat(((Held) stage.result(call)).term()).isEqualTo(new Term(sent, LEASE));
  }

  @Test
  void avoidsOneThatWasLate() {
    measure();
    long late = stage.acquire(FOREVER);
    Try request = request();
    stage.pass(TRIP);
    grant(drawn.without(one), request);
    stage.pass(TRIP);
    grant(others, request);
    long unused = stage.call(new ReleaseCall(LOCK, ((Held) stage.result(late)).token()));

    unused = stage.acquire(FOREVER);
    assertThat(sentTo(Try.class).contains(one)).isFalse();
    assertThat(sentTo(Try.class).size()).isEqualTo(thresholds.quorum());
  }

  @Test
  void staysInTheLinesOfItsQuorumWhileAnotherHoldsTheLock() {
    measure();
    long call = stage.acquire(FOREVER);
    Try request = request();
    drawn.forEach(server -> stage.hear(server.index(), locked(request)));
    stage.forgetEffects();
    stage.pass(2 * TRIP);
    assertThat(sentTo(Try.class)).isEqualTo(ServerSet.none());

    grant(drawn, request);
    assertThat(stage.result(call)).isInstanceOf(Held.class);
  }

  @Test
  void asksTheOthersWhenAllButALiarLetItIn() {
    measure();
    long call = stage.acquire(FOREVER);
    Try request = request();
    stage.pass(TRIP);
    drawn.forEach(server -> stage.hear(server.index(), locked(request)));
    stage.pass(2 * TRIP); // It is the turn of another.
    grant(drawn.without(one), request);
    stage.pass(2 * TRIP);

    assertThat(sentTo(Try.class)).isEqualTo(others);
    grant(ServerSet.of(others.iterator().next()), request);
    assertThat(stage.result(call)).isInstanceOf(Held.class);
  }

  @Test
  void whoTriesOnceAsksTheOthersWhenOneDenies() {
    long call = stage.acquire(0);
    Try request = request();
    stage.hear(one.index(), locked(request));

    assertThat(sentTo(Try.class)).isEqualTo(others);
    assertThat(stage.result(call)).isEqualTo("none yet");
    others.forEach(server -> stage.hear(server.index(), locked(request)));
    assertThat(stage.result(call)).isInstanceOf(NotAcquiredException.class);
    assertThat(sentTo(Release.class)).isEqualTo(ServerSet.firstN(SERVERS));
  }

  @Test
  void asksTheOthersWhenOneCallsItStaleOrRefuses() {
    long unused = stage.acquire(FOREVER);
    Try request = request();
    stage.hear(one.index(), new Stale(request.time(), request.number(), SealedRank.unsealed(1)));
    assertThat(sentTo(Try.class)).isEqualTo(others);

    ClientStage refused = stage(thresholds);
    unused = refused.acquire(FOREVER);
    Try again = refused.tried(one.index());
    refused.hear(one.index(), new Refused(again.time(), RefusalReason.CLOCK_AHEAD, 1));
    assertThat(refused.tried(others.iterator().next().index())).isEqualTo(again);
  }

  @Test
  void renewsAtItsQuorumAndElsewhereWhenOneIsLate() {
    measure();
    long call = stage.acquire(FOREVER);
    Try request = request();
    stage.pass(TRIP);
    grant(drawn, request);
    Held held = (Held) stage.result(call);

    Moment sent = stage.now();
    long renewal = stage.call(new RenewCall(LOCK, held.token(), HOLD));
    assertThat(sentTo(Renew.class)).isEqualTo(drawn);
    Renew renew = stage.sentTo(one.index(), Renew.class).get(0);
    stage.pass(TRIP);
    for (ServerId server : drawn.without(one)) {
      stage.hear(server.index(), new Free(LOCK, renew.contender(), renew.time(), renew.number()));
    }
    stage.pass(TRIP);
    assertThat(sentTo(Renew.class)).isEqualTo(others);
    stage.hear(
        others.iterator().next().index(),
        new Free(LOCK, renew.contender(), renew.time(), renew.number()));
    assertThat(stage.result(renewal)).isEqualTo(new Term(sent, LEASE));
  }

  @Test
  void linesOfASquareAreEnoughAndOtherSetsOfTheirSizeAreNot() {
    Thresholds grid = QuorumKind.M_GRID.thresholds(BackoffProtocol.ALL_SERVERS, 25, 1);
    ServerSet lines = new DrawnQuorums(grid.quorums()).of(LOCK, 0);
    ServerId first = lines.iterator().next();
    ClientStage square = stage(grid);
    long call = square.acquire(FOREVER);
    Try request = square.tried(first.index());
    square.pass(3 * TIMING.delayNanos()); // All are asked by now.
    ServerId other = lines.complement(25).iterator().next();
    for (ServerId server : lines.without(first).with(other)) {
      square.hear(server.index(), free(request));
    }
    assertThat(square.result(call)).isEqualTo("none yet");
    square.hear(first.index(), free(request));
    assertThat(square.result(call)).isInstanceOf(Held.class);
  }
}
