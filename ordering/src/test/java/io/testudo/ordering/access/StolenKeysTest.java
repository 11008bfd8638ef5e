package io.testudo.ordering.access;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.spi.Entropy;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One lying server, and what the keys of a principal that was removed are worth to it. */
@Timeout(value = 120, unit = SECONDS)
class StolenKeysTest {
  private static final String TOWN = "town";
  private static final ServerId LIAR = new ServerId(3);

  /** Answers when it is asked again: so the liar is among those that are heard first. */
  private static final ServerId SLOW = new ServerId(0);

  private static final ObjectBackend BACKEND = ObjectBackend.standard();
  private static final Rights RIGHTS =
      Rights.of(
          List.of(
              Grant.of("alice", EnumSet.allOf(Right.class), ""),
              Grant.of("bob", EnumSet.allOf(Right.class), ""),
              Grant.of("carol", EnumSet.of(Right.SUBMIT, Right.READ), ""),
              Grant.of("dave", EnumSet.of(Right.READ), ""),
              Grant.of("thief", EnumSet.of(Right.SUBMIT), "")),
          List.of());
  private static final ClusterDescription BEFORE =
      new ClusterDescription(
          TOWN,
          SecurityMode.HMAC,
          1,
          Stream.of(1, 2, 3, 4)
              .map(port -> new Endpoint("localhost", port))
              .collect(ImmutableList.toImmutableList()),
          RIGHTS);

  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final Turned turned = new Turned(false);
  private final EmbeddedCluster servers = EmbeddedCluster.start(4, BACKEND.types(), this::machines);

  private List<Machine<ClientId>> machines(ServerId id) {
    if (id.equals(LIAR)) {
      return List.of(turned);
    }
    return id.equals(SLOW)
        ? List.of(
            new Turned(true),
            BACKEND.locks().serverMachine(LockScope.everything(), Entropy.seeded(1)))
        : BACKEND.serverMachines(id);
  }

  @AfterEach
  void close() {
    servers.close();
    secrets.close();
  }

  /** An honest server of objects that one day shows what thieves have made. */
  private static final class Turned extends Machine<ClientId> {
    private OrderingServer own = new OrderingServer(BACKEND.mode());
    private volatile @Nullable List<StateRecord> forged;
    private final boolean isSlow;
    private final Set<Long> asked = new HashSet<>();
    private boolean lies;

    Turned(boolean isSlow) {
      this.isSlow = isSlow;
      for (Class<? extends Message> type :
          List.<Class<? extends Message>>of(
              io.testudo.ordering.message.Submit.class,
              io.testudo.ordering.message.Propose.class,
              io.testudo.ordering.message.Commit.class,
              io.testudo.ordering.message.InstallSnapshot.class)) {
        onMessage(type, this::onOther);
      }
      onMessage(Get.class, this::onGet);
      onMessage(Fetch.class, this::onOther);
    }

    @Override
    protected void onStarted(List<StateRecord> recovered) {
      say(own.step(new Input.Started<>(List.of()), now()));
    }

    private void onOther(ClientId from, Message message) {
      if (!lies || message instanceof Fetch) {
        say(own.step(new Input.Received<>(from, message), now()));
      }
    }

    private void onGet(ClientId from, Get get) {
      if (isSlow && asked.add(get.nonce())) {
        return;
      }
      List<StateRecord> toShow = forged;
      if (toShow != null && !lies) {
        lies = true;
        own = new OrderingServer(BACKEND.mode());
        List<Effect<ClientId>> unused = own.step(new Input.Started<>(toShow), now());
      }
      Get asked =
          lies
              ? new Get(
                  get.object(),
                  get.nonce(),
                  Rank.NONE,
                  java.util.Optional.empty(),
                  get.known(),
                  false)
              : get;
      say(own.step(new Input.Received<>(from, asked), now()));
    }

    private void say(List<Effect<ClientId>> effects) {
      for (Effect<ClientId> effect : effects) {
        if (effect instanceof Effect.Send<ClientId> send) {
          send(send.to(), send.message());
        }
      }
    }
  }

  private ClientKeyring keys(ClusterDescription cluster, String principal) {
    return secrets.clientKeyring(cluster, principal);
  }

  private ObjectClient client(ClusterDescription cluster, String principal) {
    return ObjectClient.on(servers.client(principal), 4, 1)
        .backend(BACKEND)
        .seals(ObjectSeals.group(keys(cluster, principal)))
        .closesConnections()
        .build();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, SECONDS);
  }

  /** What servers would store if somebody with this key ordered: a million, at a high rank. */
  private static List<StateRecord> aMillion(SecretBytes key) throws Exception {
    List<OrderingServer> stored = new ArrayList<>();
    try (EmbeddedCluster den =
            EmbeddedCluster.start(
                4,
                BACKEND.types(),
                id -> {
                  OrderingServer machine = new OrderingServer(BACKEND.mode());
                  stored.add(machine); // More are made than serve.
                  return List.of(
                      machine,
                      BACKEND.locks().serverMachine(LockScope.everything(), Entropy.seeded(1)));
                });
        ObjectClient thief =
            ObjectClient.on(den.client("thief"), 4, 1)
                .backend(BACKEND)
                .seals(ObjectSeals.group(TOWN, Map.of("", key)))
                .closesConnections()
                .build()) {
      CounterObject visits = CounterObject.open(thief, "visits");
      for (int i = 0; i < 20; i++) {
        long unused = get(visits.increment(50_000));
      }
      assertThat(get(visits.get())).isEqualTo(1_000_000);
    }
    List<StateRecord> most =
        stored.stream()
            .map(OrderingServer::snapshot)
            .max(Comparator.comparingInt(List::size))
            .orElseThrow();
    assertThat(most).hasSizeGreaterThan(20);
    return most;
  }

  private void assertReadsAndGoesOnFrom(ClusterDescription cluster, long value) throws Exception {
    for (int i = 0; i < 20; i++) {
      try (ObjectClient bob = client(cluster, "bob")) {
        assertThat(get(CounterObject.open(bob, "visits").get())).isEqualTo(value);
      }
    }
    try (ObjectClient bob = client(cluster, "bob")) {
      CounterObject visits = CounterObject.open(bob, "visits");
      assertThat(get(visits.increment())).isEqualTo(value + 1);
      assertThat(get(visits.get())).isEqualTo(value + 1);
      assertThat(get(visits.getStale())).isLessThanOrEqualTo(value + 1);
    }
  }

  private void countToSeven() throws Exception {
    try (ObjectClient alice = client(BEFORE, "alice")) {
      assertThat(get(CounterObject.open(alice, "visits").increment(7))).isEqualTo(7);
    }
  }

  @Test
  void doNotForgeWhatOrderersSayIfTheyAreToSubmit() throws Exception {
    countToSeven();
    SecretBytes stolen = keys(BEFORE, "thief").groupKeys(KeyPurpose.SUBMIT).get("");
    turned.forged = aMillion(Objects.requireNonNull(stolen));
    assertReadsAndGoesOnFrom(BEFORE, 7);
  }

  @Test
  void doNotForgeAnythingOnceTheOrderersHaveNewOnes() throws Exception {
    countToSeven();
    SecretBytes stolen = keys(BEFORE, "alice").groupKeys(KeyPurpose.ORDER).get("");
    turned.forged = aMillion(Objects.requireNonNull(stolen));
    KeyEpochs next = BEFORE.epochs().raised(EnumSet.allOf(KeyPurpose.class));
    assertReadsAndGoesOnFrom(BEFORE.with(RIGHTS, next), 7);
  }

  @Test
  void areNotNeededToReadOrToSubmit() throws Exception {
    countToSeven();
    SecretBytes stolen = keys(BEFORE, "alice").groupKeys(KeyPurpose.ORDER).get("");
    turned.forged = aMillion(Objects.requireNonNull(stolen));
    try (ObjectClient dave = client(BEFORE, "dave");
        ObjectClient carol = client(BEFORE, "carol")) {
      CounterObject read = CounterObject.open(dave, "visits");
      assertThat(get(read.get())).isEqualTo(7);
      assertThatThrownBy(() -> get(read.increment())).hasCauseInstanceOf(NotAllowedException.class);
      CounterObject submitted = CounterObject.open(carol, "visits");
      assertThat(get(submitted.get())).isEqualTo(7);
    }
  }

  @Test
  void ofOldAndOfNewBundlesMayBeMixedWhileTheyAreBroughtOut() throws Exception {
    KeyEpochs next = BEFORE.epochs().raised(EnumSet.allOf(KeyPurpose.class));
    try (ObjectClient early = client(BEFORE, "alice");
        ObjectClient late = client(BEFORE.with(RIGHTS, next), "bob")) {
      CounterObject old = CounterObject.open(early, "visits");
      CounterObject fresh = CounterObject.open(late, "visits");
      for (long i = 1; i < 10; i += 2) {
        assertThat(get(old.increment())).isEqualTo(i);
        assertThat(get(fresh.increment())).isEqualTo(i + 1);
      }
      assertThat(get(old.get())).isEqualTo(10);
      assertThat(get(fresh.get())).isEqualTo(10);
    }
  }

  @Test
  void toSubmitAreEnoughBesideSomebodyWhoOrders() throws Exception {
    try (ObjectClient carol = client(BEFORE, "carol");
        ObjectClient bob = client(BEFORE, "bob")) {
      CounterObject ordered = CounterObject.open(bob, "visits");
      assertThat(get(ordered.increment())).isEqualTo(1);
      CompletableFuture<Long> submitted = CounterObject.open(carol, "visits").increment();
      while (!submitted.isDone()) {
        long unused = get(ordered.increment());
      }
      assertThat(get(submitted)).isGreaterThan(1);
    }
  }
}
