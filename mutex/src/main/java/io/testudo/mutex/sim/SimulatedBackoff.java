package io.testudo.mutex.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.Maps;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.backoff.BackoffClient;
import io.testudo.mutex.backoff.BackoffLaw;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.BackoffTuning;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Refused;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The backoff mutex behind the lock. */
public final class SimulatedBackoff implements SimulatedLock {
  private static final long MILLI = 1_000_000L;

  /** Nobody has all day. */
  private static final long LONGEST_SLEEP_NANOS = 400 * MILLI;

  private static final RankSeals SHARED_KEY = sealsBy("simulated");
  private static final RankSeals NEXT_KEY = sealsBy("exchanged");

  private final ScenarioSettings settings;
  private final Thresholds thresholds;
  private final Map<Attempt, ServerSet> grants = new HashMap<>();
  private BackoffTuning tuning = BackoffTuning.standard();
  private RankSeals seals = SHARED_KEY;
  private boolean exchangesKeys;

  private record Attempt(ClientId client, String lock, long token) {}

  public SimulatedBackoff(ScenarioSettings settings) {
    this.settings = settings;
    this.thresholds = settings.thresholds();
  }

  private static RankSeals sealsBy(String key) {
    return GroupRankSeals.of(
        "simulated", Map.of("", SecretBytes.copyOf(key.repeat(4).getBytes(UTF_8))));
  }

  @Override
  public void begin(Entropy entropy) {
    boolean waitingList = entropy.chance(0.8);
    boolean holdPerCall = entropy.chance(0.8);
    boolean paperUnit = entropy.chance(0.2);
    tuning =
        new BackoffTuning(
            waitingList, holdPerCall, paperUnit, BackoffLaw.exponential(), LONGEST_SLEEP_NANOS);
    seals = entropy.chance(0.7) ? SHARED_KEY : RankSeals.none();
  }

  /** Those whom servers call get turns, if all are in the same lines. */
  @Override
  public boolean beFair() {
    tuning = BackoffTuning.standard();
    return thresholds.asked() == thresholds.servers();
  }

  @Override
  public void exchangeKeys() {
    exchangesKeys = seals == SHARED_KEY;
  }

  @Override
  public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
    return new BackoffServer(TIMING);
  }

  @Override
  public Machine<ServerId> newClient(ClientId self, Entropy entropy) {
    RankSeals own = exchangesKeys && self.session() % 2 == 0 ? NEXT_KEY : seals;
    return new BackoffClient(
        thresholds, settings.accessOf(entropy), TIMING, tuning, self.session(), own, entropy);
  }

  @Override
  public boolean readmits() {
    return true;
  }

  @Override
  public List<StateRecord> readmitted(ServerId server, Moment now) {
    return new BackoffProtocol(TIMING).readmitted(now.wallMillis());
  }

  @Override
  public Optional<Message> toldByOperator(
      ServerId server, Map<ServerId, Machine<ClientId>> correct) {
    return BackoffReadmission.word(
        server, Maps.transformValues(correct, it -> (BackoffServer) it), thresholds);
  }

  @Override
  public boolean isRestored(Machine<ClientId> machine) {
    return BackoffReadmission.isOver((BackoffServer) machine);
  }

  /** Only what is sealed is believed of a rank that is far ahead. */
  @Override
  public boolean toleratesFarClocks() {
    return seals == SHARED_KEY && !exchangesKeys;
  }

  @Override
  public Forger forger() {
    return new BackoffForger(TIMING);
  }

  @Override
  public boolean wouldCount(Machine<ServerId> client, ServerId from, Message message) {
    long time =
        message instanceof Free free
            ? free.time()
            : message instanceof Locked locked
                ? locked.time()
                : message instanceof Stale stale
                    ? stale.time()
                    : message instanceof Refused refused ? refused.time() : 0;
    return client instanceof BackoffClient contender && contender.awaits(from, time);
  }

  @Override
  public void onServerSends(ServerId server, ClientId to, Message message) {
    if (message instanceof Free free) {
      grants.merge(
          new Attempt(to, free.lock(), free.time()), ServerSet.of(server), ServerSet::union);
    }
  }

  /** Liars may have let it in anywhere; all others that count must have said so. */
  @Override
  public void checkEntry(ClientId client, Machine<ServerId> machine, String lock, long token) {
    ServerSet granted = grants.getOrDefault(new Attempt(client, lock, token), ServerSet.none());
    if (lacking(granted) > settings.liars()) {
      throw Violation.safety(
          "%s enters '%s' with token %d, and of the correct servers only %s let it in"
              .formatted(client, lock, token, granted));
    }
  }

  /** So many more have to grant it at least. */
  private int lacking(ServerSet granted) {
    return thresholds.need().asksOneQuorum()
        ? thresholds.consents() - granted.size()
        : thresholds.quorums().leastOf(granted.complement(thresholds.servers()));
  }

  @Override
  public boolean isGranted(Machine<ClientId> server, String lock, long token) {
    return ((BackoffServer) server).isGranted(lock, token);
  }
}
