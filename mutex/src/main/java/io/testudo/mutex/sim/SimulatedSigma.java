package io.testudo.mutex.sim;

import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.sigma.Check;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaClient;
import io.testudo.mutex.sigma.SigmaLockView;
import io.testudo.mutex.sigma.SigmaLockView.Entry;
import io.testudo.mutex.sigma.SigmaRefused;
import io.testudo.mutex.sigma.SigmaServer;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.mutex.sigma.Yield;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sigma behind the lock. What must hold at each server after each step: without an owner nobody
 * waits; everyone is there once, and the owner does not wait; the queue is in order. Over the whole
 * run: a grant id names one contender, and no grant counts that its client has yielded.
 */
public final class SimulatedSigma implements SimulatedLock {
  private static final long MILLI = 1_000_000L;

  private final Thresholds thresholds;
  private final int liars;
  private final int resets;
  private final SigmaTuning tuning;
  private final Map<Grant, Named> named = new HashMap<>();
  private final Map<Epoch, Set<Grant>> granted = new HashMap<>();
  private final Set<Grant> yielded = new HashSet<>();
  private final Map<Hold, Epoch> holds = new HashMap<>();
  private ServerSet forgetful = ServerSet.none();
  private @Nullable Entropy entropy;
  private @Nullable Consumer<ServerId> striker;

  private record Grant(ServerId server, GrantId id) {}

  /** What a grant id was shown to stand for. */
  private record Named(String lock, long time) {}

  private record Epoch(ClientId client, String lock, long time) {}

  private record Hold(String lock, long token) {}

  public SimulatedSigma(ScenarioSettings settings) {
    this.thresholds = settings.thresholds();
    this.liars = settings.liars();
    this.resets = settings.resets();
    this.tuning = new SigmaTuning(settings.quarantine(), 90 * MILLI, 100 * MILLI, 800 * MILLI);
  }

  @Override
  public void begin(Entropy drawn) {
    entropy = drawn.fork(1);
    while (forgetful.size() < Math.min(resets, thresholds.servers())) {
      forgetful = forgetful.with(new ServerId(drawn.nextInt(thresholds.servers())));
    }
  }

  @Override
  public void meet(Consumer<ServerId> toStrike) {
    striker = toStrike;
  }

  /** A server that dies forgets all. So these may do so at any time, and the others never. */
  @Override
  public boolean mayDie(ServerId server) {
    return forgetful.contains(server);
  }

  /** Where all servers that two holders share may forget, so may the fences. */
  @Override
  public boolean fencesGrow() {
    return resets + liars < thresholds.shared();
  }

  @Override
  public Machine<ClientId> newServer(ServerId self, Entropy serverEntropy) {
    return new SigmaServer(TIMING, tuning, LockScope.everything(), serverEntropy);
  }

  @Override
  public Machine<ServerId> newClient(ClientId self, Entropy clientEntropy) {
    return new SigmaClient(thresholds, TIMING, tuning, clientEntropy);
  }

  @Override
  public Forger forger() {
    return new SigmaForger(TIMING);
  }

  @Override
  public boolean wouldCount(Machine<ServerId> client, ServerId from, Message message) {
    long time =
        message instanceof Response response
            ? response.time()
            : message instanceof Check check
                ? check.time()
                : message instanceof SigmaRefused refused ? refused.time() : 0;
    return client instanceof SigmaClient contender && contender.awaits(from, time);
  }

  @Override
  public void onServerSends(ServerId server, ClientId to, Message message) {
    if (message instanceof Response response && !response.owner().isNone()) {
      Grant grant = new Grant(server, response.grant());
      checkName(grant, new Named(response.lock(), response.owner().time()));
      if (response.yours()) {
        noteGrant(grant, new Epoch(to, response.lock(), response.time()));
      }
    } else if (message instanceof Check check) {
      Grant grant = new Grant(server, check.grant());
      checkName(grant, new Named(check.lock(), check.time()));
      noteGrant(grant, new Epoch(to, check.lock(), check.time()));
    }
  }

  private void checkName(Grant grant, Named owner) {
    Named before = named.putIfAbsent(grant, owner);
    if (before != null && !before.equals(owner)) {
      throw Violation.safety("%s names %s, and before it named %s".formatted(grant, owner, before));
    }
  }

  private void noteGrant(Grant grant, Epoch to) {
    granted.computeIfAbsent(to, any -> new HashSet<>()).add(grant);
  }

  @Override
  public void checkClient(ClientId client, List<Effect<ServerId>> effects) {
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.Send<ServerId> send && send.message() instanceof Yield yield) {
        yielded.add(new Grant(send.to(), yield.grant()));
      }
    }
  }

  /** Liars may have let it in anywhere; all others that count must have said so. */
  @Override
  public void checkEntry(ClientId client, Machine<ServerId> machine, String lock, long token) {
    SigmaClient sigma = (SigmaClient) machine;
    Epoch epoch = new Epoch(client, lock, sigma.timeOf(lock, token));
    holds.put(new Hold(lock, token), epoch);
    Set<Grant> shown = granted.getOrDefault(epoch, Set.of());
    int counted = 0;
    for (Map.Entry<ServerId, GrantId> entry : sigma.grants(lock, token).entrySet()) {
      Grant grant = new Grant(entry.getKey(), entry.getValue());
      if (shown.contains(grant)) {
        counted++;
        if (yielded.contains(grant)) {
          throw Violation.safety(client + " enters '" + lock + "' with a yielded grant: " + grant);
        }
      }
    }
    if (counted + liars < thresholds.consents()) {
      throw Violation.safety(
          "%s enters '%s' with token %d, and only %d correct servers let it in"
              .formatted(client, lock, token, counted));
    }
    strikeDuringHold();
  }

  /** The worst moment to forget is while somebody holds the lock. */
  private void strikeDuringHold() {
    if (entropy != null && striker != null && entropy.chance(0.2)) {
      forgetful.forEach(striker);
    }
  }

  @Override
  public void checkServer(ServerId server, Machine<ClientId> machine) {
    SigmaServer sigma = (SigmaServer) machine;
    for (String lock : sigma.lockNames()) {
      sigma.view(lock).ifPresent(view -> checkQueue(server, lock, view));
    }
  }

  private static void checkQueue(ServerId server, String lock, SigmaLockView view) {
    if (view.owner().isEmpty() && !view.queue().isEmpty()) {
      throw Violation.liveness("%s lets all wait for '%s'".formatted(server, lock));
    }
    Set<Object> seen = new HashSet<>();
    view.owner().ifPresent(owner -> seen.add(owner.contender()));
    Entry before = null;
    for (Entry entry : view.queue()) {
      if (!seen.add(entry.contender())) {
        throw Violation.safety("%s has %s twice for '%s'".formatted(server, entry, lock));
      }
      boolean inOrder =
          before == null
              || before.time() < entry.time()
              || (before.time() == entry.time()
                  && before.contender().compareTo(entry.contender()) < 0);
      if (!inOrder) {
        throw Violation.safety("%s has %s before %s".formatted(server, before, entry));
      }
      before = entry;
    }
  }

  @Override
  public boolean isGranted(Machine<ClientId> server, String lock, long token) {
    Epoch epoch = holds.get(new Hold(lock, token));
    return epoch != null
        && ((SigmaServer) server)
            .view(lock)
            .flatMap(SigmaLockView::owner)
            .filter(owner -> owner.time() == epoch.time())
            .filter(owner -> owner.contender().client().equals(epoch.client()))
            .isPresent();
  }
}
