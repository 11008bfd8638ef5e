package io.testudo.ordering.sim.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.client.OrderingClient;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A follower, the real machine, whose operation is in what two ballots propose. Four servers: the
 * correct ones have accepted one ballot's proposal, the other's, or both in turn, as the protocol
 * lets them, and tell the follower now, later, often or never; liars say anything about it at any
 * time, and some of what they can say about tenure. All that makes a difference, each once.
 *
 * <p>Servers accept first and the follower hears later. Nothing is lost by that: a word says only
 * what its server has accepted before.
 */
class FollowerScopeTest {
  private static final String OBJECT = "o";
  private static final int SERVERS = 4;

  /** As many kinds of lies about tenure are told in one course of events. */
  private static final int TENURE_LIES = 1;

  private static final SecretBytes KEY =
      SecretBytes.copyOf("a group key for small scopes onl".getBytes(StandardCharsets.US_ASCII));
  private static final OrderSeals SEALS =
      OrderSeals.of("scope", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY)));
  private static final Thresholds THRESHOLDS = Mode.SEALED_STATEMENTS.need().thresholds(SERVERS, 1);
  private static final Rank ONE = new Rank(1L << 50, 8);
  private static final Rank TWO = new Rank((1L << 50) + 1, 9);
  private static final Bytes FIRST = Bytes.utf8("first");
  private static final Bytes OTHER = Bytes.utf8("other");

  /** What a correct server has accepted in the end. */
  private enum Accepted {
    NOTHING(false, false),
    FIRST_ONLY(true, false),
    SECOND_ONLY(false, true),
    BOTH(true, true);

    final boolean first;
    final boolean second;

    Accepted(boolean first, boolean second) {
      this.first = first;
      this.second = second;
    }
  }

  /** What the follower hears. */
  private record Heard(int server, Message message) {}

  private record Found(int states, int completed, Optional<List<Heard>> wrong) {}

  /**
   * What correct servers accepted.
   *
   * @param same whether the second ballot proposes what the first one did
   */
  private record World(List<Accepted> servers, boolean same) {
    Bytes second() {
      return same ? FIRST : OTHER;
    }

    /** The second ballot proposes something else only if so many that it asked lack the first. */
    boolean isPossible() {
      int need = THRESHOLDS.quorum() - (SERVERS - servers.size());
      return same
          || servers.stream().noneMatch(it -> it.second)
          || servers.stream().filter(it -> !it.first).count() >= need;
    }

    /** Whether so many correct servers have accepted it at one rank that, with b, it is chosen. */
    boolean isChosen(Bytes result) {
      long atOne = servers.stream().filter(it -> it.first && result.equals(FIRST)).count();
      long atTwo = servers.stream().filter(it -> it.second && result.equals(second())).count();
      return Math.max(atOne, atTwo) >= THRESHOLDS.quorum() - THRESHOLDS.faults();
    }
  }

  /** All that differ by more than the names of servers. */
  private static List<World> worlds(int correct) {
    List<List<Accepted>> all = List.of(List.of());
    for (int i = 0; i < correct; i++) {
      List<List<Accepted>> longer = new ArrayList<>();
      for (List<Accepted> some : all) {
        for (Accepted one : Accepted.values()) {
          if (some.isEmpty() || some.get(some.size() - 1).compareTo(one) <= 0) {
            List<Accepted> more = new ArrayList<>(some);
            more.add(one);
            longer.add(more);
          }
        }
      }
      all = longer;
    }
    return all.stream()
        .flatMap(some -> Stream.of(new World(some, true), new World(some, false)))
        .filter(World::isPossible)
        .toList();
  }

  private static Found explore(World world) {
    Set<String> seen = new HashSet<>();
    Deque<List<Heard>> queue = new ArrayDeque<>();
    queue.add(List.of());
    int completed = 0;
    while (!queue.isEmpty()) {
      List<Heard> past = queue.remove();
      Life life = new Life(world, past);
      if (!seen.add(life.fingerprint())) {
        continue;
      }
      if (!life.results.isEmpty()) {
        completed++;
        if (!world.isChosen(life.results.get(0).result())) {
          return new Found(seen.size(), completed, Optional.of(past));
        }
        continue; // It waits for nothing more.
      }
      for (Heard next : life.next()) {
        List<Heard> longer = new ArrayList<>(past);
        longer.add(next);
        queue.add(longer);
      }
    }
    return new Found(seen.size(), completed, Optional.empty());
  }

  /** One course of events. */
  private static final class Life {
    final List<OperationResult> results = new ArrayList<>();
    private final World world;
    private final OrderingClient client;
    private final List<Message> sent = new ArrayList<>();
    private final Map<Integer, Message> lastWords = new HashMap<>();
    private final Set<Class<?>> tenureLies = new HashSet<>();

    Life(World world, List<Heard> past) {
      this.world = world;
      long[] drawn = new long[1];
      Entropy entropy = () -> drawn[0]++ << 8;
      this.client =
          new OrderingClient(
              THRESHOLDS, Mode.SEALED_STATEMENTS, OrderTiming.standard(), 5, SEALS, entropy);
      step(new Input.Started<>(List.of()));
      step(
          new Input.Called<>(
              new CallId<>(1),
              new SubmitOperation(OBJECT, new Marks(), Bytes.utf8("x"), Long.MAX_VALUE / 4)));
      for (int server = 0; server < 2; server++) {
        hear(server, new Busy(OBJECT, last(Get.class).rank(), ONE));
      }
      for (Heard one : past) {
        hear(one.server(), one.message());
        if (one.message() instanceof Included) {
          lastWords.put(one.server(), one.message());
        } else {
          tenureLies.add(one.message().getClass());
        }
      }
    }

    private void hear(int server, Message message) {
      step(new Input.Received<>(new ServerId(server), message));
    }

    private void step(Input<ServerId> input) {
      for (Effect<ServerId> effect : client.step(input, new Moment(0, 1_700_000_000_000L))) {
        if (effect instanceof Effect.Send<ServerId> send) {
          sent.add(send.message());
        } else if (effect instanceof Effect.Complete<ServerId> complete) {
          results.add((OperationResult) complete.result());
        }
      }
    }

    private <M> M last(Class<M> type) {
      return sent.stream()
          .filter(type::isInstance)
          .map(type::cast)
          .reduce((one, other) -> other)
          .orElseThrow();
    }

    String fingerprint() {
      return Fingerprint.of(client) + results + tenureLies.size();
    }

    private Included word(Rank rank, Bytes result) {
      OpId id = last(Submit.class).operation().id();
      int version = result.equals(FIRST) ? 1 : 2;
      StateId state = new StateId(version, Digest.of(new byte[] {(byte) version}));
      return new Included(OBJECT, id, rank, state, result);
    }

    List<Heard> next() {
      List<Heard> next = new ArrayList<>();
      int correct = world.servers().size();
      for (int server = 0; server < SERVERS; server++) {
        List<Included> words = new ArrayList<>();
        if (server >= correct || world.servers().get(server).first) {
          words.add(word(ONE, FIRST));
        }
        if (server >= correct || world.servers().get(server).second) {
          words.add(word(TWO, world.second()));
        }
        if (server >= correct) {
          words.add(word(ONE, OTHER));
          words.add(word(TWO, world.same() ? OTHER : FIRST));
        }
        for (Included word : words) {
          if (!word.equals(lastWords.get(server))) {
            next.add(new Heard(server, word));
          }
        }
      }
      if (tenureLies.size() < TENURE_LIES) {
        for (Message lie : lies()) {
          if (!tenureLies.contains(lie.getClass())) {
            next.add(new Heard(SERVERS - 1, lie));
          }
        }
      }
      return next;
    }

    private List<Message> lies() {
      Rank asked = last(Get.class).rank();
      return List.of(
          new Busy(OBJECT, asked, TWO),
          new Superseded(OBJECT, asked, TWO, SEALS.seal(OBJECT, TWO.time(), TWO.session())),
          new Unattended(OBJECT),
          new Relayed(OBJECT, asked, List.of(last(Submit.class).operation())));
    }
  }

  @Test
  void believesOnlyWhatIsChosenWhateverOneLiarSays() {
    int states = 0;
    int completed = 0;
    for (World world : worlds(SERVERS - 1)) {
      Found found = explore(world);
      assertThat(found.wrong()).as(world.toString()).isEmpty();
      states += found.states();
      completed += found.completed();
    }
    assertThat(states).isGreaterThan(1_000);
    assertThat(completed).isPositive();
  }

  @Test
  void isDeceivedByTwoLiars() {
    boolean isWrong =
        worlds(SERVERS - 2).stream().anyMatch(world -> explore(world).wrong().isPresent());
    assertThat(isWrong).isTrue();
  }
}
