package io.testudo.ordering.sim.scope;

import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.client.OrderingClient;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All states that one client was ever in, by number: its machine, and what it has sent, which may
 * arrive at any time and any number of times. A machine is copied by giving a new one the same
 * inputs.
 */
final class Clients {
  static final String OBJECT = "o";
  static final int FRESH = 0;
  private static final long MILLI = 1_000_000L;
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;
  private static final OrderTiming TIMING =
      new OrderTiming(60 * MILLI, 400 * MILLI, 10_000, 100, 300 * MILLI, 5 * MILLI, 1_000 * MILLI);
  private static final SecretBytes KEY =
      SecretBytes.copyOf("a group key for small scopes onl".getBytes(StandardCharsets.US_ASCII));
  private static final OrderSeals SEALS =
      OrderSeals.of("scope", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY)));

  private final Thresholds thresholds;
  private final Mode mode;
  final ClientId id;
  private final Messages messages;
  private final List<State> states = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> sentNumbers = new HashMap<>();
  private final Map<Long, Integer> heard = new HashMap<>();
  private final Map<Long, Integer> renamed = new HashMap<>();

  /** Something that happens to a client. */
  sealed interface Happening {
    /** Its application has one more operation. */
    record Submits() implements Happening {}

    /** It loses patience, and begins a run anew. */
    record GivesUp() implements Happening {}

    /** A server says something. */
    record Hears(int server, Message message) implements Happening {}
  }

  /**
   * A state.
   *
   * @param past what led here
   * @param sent numbers of messages
   * @param sentNumber one number for all of them
   * @param awaited the servers whose reports count now
   * @param results what its application was told: the whole object, each time
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared: millions of them are kept.
  record State(
      List<Happening> past,
      int[] sent,
      int sentNumber,
      ServerSet awaited,
      int submitted,
      List<Bytes> results,
      int givenUp) {
    int answered() {
      return results.size();
    }

    /** A report that is not waited for only brings entries, which prove themselves. */
    boolean counts(int server, Message message) {
      return !(message instanceof Report) || awaited.contains(new ServerId(server));
    }
  }

  Clients(Thresholds thresholds, Mode mode, int index, Messages messages) {
    this.thresholds = thresholds;
    this.mode = mode;
    this.id = new ClientId("c" + index, index + 1, 1);
    this.messages = messages;
    number(new Living(), List.of());
  }

  State state(int number) {
    return states.get(number);
  }

  /** The state after something happened; the same one if it changes nothing. */
  int after(int state, Happening happening) {
    if (happening instanceof Happening.Hears handles) {
      long key =
          ((long) state << 32) | (handles.server() << 24) | messages.number(handles.message());
      Integer known = heard.get(key);
      if (known == null) {
        known = stepped(state, happening);
        heard.put(key, known);
      }
      return known;
    }
    return stepped(state, happening);
  }

  /** The same state with other names for the servers. */
  int renamed(int state, int[] names) {
    long key = ((long) Renamings.code(names) << 32) | state;
    Integer known = renamed.get(key);
    if (known == null) {
      List<Happening> past = new ArrayList<>();
      for (Happening happening : states.get(state).past()) {
        past.add(
            happening instanceof Happening.Hears handles
                ? new Happening.Hears(Renamings.rename(names, handles.server()), handles.message())
                : happening);
      }
      known = lived(past);
      renamed.put(key, known);
    }
    return known;
  }

  private int stepped(int state, Happening happening) {
    List<Happening> past = new ArrayList<>(states.get(state).past());
    past.add(happening);
    return lived(past);
  }

  private int lived(List<Happening> past) {
    Living living = new Living();
    past.forEach(living::live);
    return number(living, past);
  }

  private int number(Living living, List<Happening> past) {
    int[] sent = living.sent.stream().mapToInt(messages::number).sorted().toArray();
    String name =
        Fingerprint.of(living.machine) + Arrays.toString(sent) + living.results.hashCode();
    return numbers.computeIfAbsent(
        name,
        any -> {
          states.add(
              new State(
                  List.copyOf(past),
                  sent,
                  sentNumbers.computeIfAbsent(Arrays.toString(sent), it -> sentNumbers.size()),
                  living.awaited(),
                  living.submitted,
                  List.copyOf(living.results),
                  living.givenUp));
          return states.size() - 1;
        });
  }

  /** A machine that is being given its inputs. */
  private final class Living {
    final OrderingClient machine;
    final Set<Message> sent = new LinkedHashSet<>();
    final Map<TimerKey, Long> timers = new LinkedHashMap<>();
    final Marks model = new Marks();
    int submitted;
    final List<Bytes> results = new ArrayList<>();
    int givenUp;
    private long nowMillis = id.session();

    Living() {
      long[] drawn = new long[1];
      Entropy entropy = () -> (drawn[0]++ << 8) | id.session();
      OrderSeals seals = mode == Mode.PLAIN ? OrderSeals.none() : SEALS;
      this.machine =
          new OrderingClient(
              thresholds,
              mode,
              TIMING,
              OpId.sessionOf(id.principal(), id.session()),
              seals,
              entropy);
      step(new Input.Started<>(List.of()));
    }

    void live(Happening happening) {
      if (happening instanceof Happening.Hears handles) {
        step(new Input.Received<>(new ServerId(handles.server()), handles.message()));
      } else if (happening instanceof Happening.Submits) {
        submitted++;
        Bytes operation = Bytes.copyOf(new byte[] {(byte) (16 * id.session())});
        step(
            new Input.Called<>(
                new CallId<>(submitted),
                new SubmitOperation(OBJECT, model, operation, Long.MAX_VALUE / 4)));
        goOnAtOnce();
      } else {
        giveUp();
      }
    }

    /** Proposes what there is, though another proposal of its own may be under way. */
    private void goOnAtOnce() {
      for (Map.Entry<TimerKey, Long> timer : List.copyOf(timers.entrySet())) {
        if (timer.getValue() <= nowMillis * MILLI
            && timers.remove(timer.getKey(), timer.getValue())) {
          step(new Input.TimerFired<>(timer.getKey()));
        }
      }
    }

    private void giveUp() {
      givenUp++;
      model.nextAttempt();
      long before = gets();
      for (int i = 0; i < 10 && gets() == before; i++) {
        nowMillis += 10_000;
        goOnAtOnce();
      }
    }

    ServerSet awaited() {
      ServerSet awaited = ServerSet.none();
      for (Message message : sent) {
        if (message instanceof Get get) {
          for (ServerId server : ServerSet.firstN(thresholds.servers())) {
            if (machine.awaits(server, OBJECT, get.nonce())) {
              awaited = awaited.with(server);
            }
          }
        }
      }
      return awaited;
    }

    private long gets() {
      return sent.stream().filter(Get.class::isInstance).count();
    }

    private void step(Input<ServerId> input) {
      Moment now = new Moment(nowMillis * MILLI, EPOCH_MILLIS + nowMillis);
      for (Effect<ServerId> effect : machine.step(input, now)) {
        if (effect instanceof Effect.Send<ServerId> send) {
          note(send.message());
        } else if (effect instanceof Effect.SetTimer<ServerId> timer) {
          timers.put(timer.key(), now.nanos() + timer.delayNanos());
        } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
          timers.remove(timer.key());
        } else if (effect instanceof Effect.Complete<ServerId> complete) {
          results.add(((OperationResult) complete.result()).result());
        }
      }
    }

    /**
     * All servers are asked for what follows the initial state, which spares a fetch, and none for
     * courtesy, which is as if it had run out.
     */
    private void note(Message message) {
      if (message instanceof Get get) {
        sent.add(
            new Get(
                get.object(),
                get.nonce(),
                get.rank(),
                get.seal(),
                Optional.of(StateId.genesis(OBJECT)),
                false));
      } else if (message instanceof Propose
          || message instanceof Commit
          || message instanceof Fetch) {
        sent.add(message);
      }
    }
  }
}
