package io.testudo.node.turncoat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.sim.liar.ByzantineCore;
import io.testudo.quorum.sim.liar.Forger;
import io.testudo.quorum.sim.liar.LiarDesk;
import io.testudo.quorum.sim.liar.Mind;
import io.testudo.quorum.sim.liar.Utterance;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server half that can turn into a liar and back. Inside it an honest half hears everything and
 * keeps its journal all the time, so it is correct again the moment it is let speak: only what was
 * said meanwhile was a lie.
 */
public final class Turncoat extends Machine<ClientId> implements ByzantineCore.Host {
  /** Where lies provoke answers, and these more lies, nobody else would get a word in. */
  private static final int MAX_WORDS_A_SECOND = 2_000;

  private static final int MAX_DELAYED = 1_000;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The machines of a liar take themselves to have started so long ago. */
  private static final long HEAD_START_NANOS = 3_600 * SECOND_NANOS;

  /** A timer of the honest half. */
  private record HonestTimer(TimerKey key) implements TimerKey {}

  /** A timer of a mind in one time of lies. */
  private record MindTimer(long deceit, int mind, TimerKey key) implements TimerKey {}

  /** When something is said that was held back. */
  private record Delayed(long number) implements TimerKey {}

  private final ServerId self;
  private final int servers;
  private final Supplier<Machine<ClientId>> maker;
  private final Machine<ClientId> honest;
  private final WireTypes types;
  private final Forger forger;
  private final Entropy entropy;
  private final Mood mood;
  private final Map<Delayed, Utterance> delayed = new HashMap<>();

  /** What the honest half says to what was just heard. */
  private Set<Utterance> truths = Set.of();

  private Mood.@Nullable Plan plan;
  private @Nullable ByzantineCore deceit;
  private long deceits;
  private long delays;
  private long secondBegunNanos;
  private int wordsThisSecond;

  /**
   * Makes a half.
   *
   * @param maker makes an honest half; each has the same chance
   * @param types what these halves say and hear
   */
  public Turncoat(
      ServerId self,
      int servers,
      Supplier<Machine<ClientId>> maker,
      WireTypes types,
      Forger forger,
      Entropy entropy,
      Mood mood) {
    this.self = self;
    this.servers = servers;
    this.maker = maker;
    this.honest = maker.get();
    this.types = types;
    this.forger = forger;
    this.entropy = entropy;
    this.mood = mood;
    for (WireType<?> type : types.all()) {
      if (Message.class.isAssignableFrom(type.type())) {
        onMessage(type.type().asSubclass(Message.class), this::onAny);
      }
    }
    onTimer(HonestTimer.class, this::wakeHonest);
    onTimer(MindTimer.class, this::wake);
    onTimer(Delayed.class, this::sayLate);
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    Set<Utterance> unused = honestly(new Input.Started<>(recovered), deceit() == null);
  }

  private void wakeHonest(HonestTimer timer) {
    Set<Utterance> unused = honestly(new Input.TimerFired<>(timer.key()), deceit() == null);
  }

  @Override
  public List<StateRecord> snapshot() {
    return honest.snapshot();
  }

  private void onAny(ClientId from, Message message) {
    if (!honest.handles(message)) {
      return; // Such things are said by servers only.
    }
    Input.Received<ClientId> heard = new Input.Received<>(from, message);
    ByzantineCore lying = deceit();
    truths = honestly(heard, lying == null);
    if (lying != null) {
      lying.hear(heard, now());
    }
  }

  private void wake(MindTimer timer) {
    ByzantineCore lying = deceit();
    if (lying != null && timer.deceit() == deceits) {
      truths = Set.of();
      lying.wake(timer.mind(), timer.key(), now());
    }
  }

  /** What lies as the server is up to now, made when it is first needed; null if honest. */
  private @Nullable ByzantineCore deceit() {
    Mood.Plan present = mood.plan();
    if (present == null) {
      deceit = null;
      delayed.clear();
    } else if (deceit == null || !present.equals(plan)) {
      deceits++;
      deceit =
          new ByzantineCore(
              present.kind().begin(entropy),
              new LiarDesk(self, servers, forger, types, entropy, present.plot()),
              () -> new Mind(maker),
              new Input.Started<>(honest.snapshot()),
              HEAD_START_NANOS,
              this);
    }
    plan = present;
    return deceit;
  }

  @Override
  public void setTimer(int mind, TimerKey key, long delayNanos) {
    setTimer(new MindTimer(deceits, mind, key), delayNanos);
  }

  @Override
  public void cancelTimer(int mind, TimerKey key) {
    cancelTimer(new MindTimer(deceits, mind, key));
  }

  /** Lets the honest half go on, and gives what it says; it is heard only if nobody lies. */
  private Set<Utterance> honestly(Input<ClientId> input, boolean aloud) {
    Set<Utterance> said = new HashSet<>();
    for (Effect<ClientId> effect : honest.step(input, now())) {
      if (effect instanceof Effect.Send<ClientId> send) {
        said.add(new Utterance(send.to(), send.message(), 0));
        if (aloud) {
          send(send.to(), send.message());
        }
      } else if (effect instanceof Effect.Persist<ClientId> persist) {
        persist(persist.record());
      } else if (effect instanceof Effect.SetTimer<ClientId> timer) {
        setTimer(new HonestTimer(timer.key()), timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ClientId> timer) {
        cancelTimer(new HonestTimer(timer.key()));
      } else if (effect instanceof Effect.Tell<ClientId> tell) {
        tell(tell.event());
      }
    }
    return said;
  }

  @Override
  public void say(List<Utterance> words) {
    if (words.isEmpty() && !truths.isEmpty()) {
      mood.lieTold(); // By silence.
    }
    for (Utterance said : words) {
      if (!mayStillSpeak()) {
        return;
      }
      if (!truths.contains(new Utterance(said.to(), said.message(), 0))) {
        mood.lieTold();
      }
      if (said.delayNanos() == 0) {
        send(said.to(), said.message());
      } else if (delayed.size() < MAX_DELAYED) {
        Delayed key = new Delayed(++delays);
        delayed.put(key, said);
        setTimer(key, said.delayNanos());
      }
    }
  }

  private boolean mayStillSpeak() {
    long nowNanos = now().nanos();
    if (nowNanos - secondBegunNanos >= SECOND_NANOS) {
      secondBegunNanos = nowNanos;
      wordsThisSecond = 0;
    }
    return wordsThisSecond++ < MAX_WORDS_A_SECOND;
  }

  private void sayLate(Delayed key) {
    Utterance said = delayed.remove(key);
    if (said != null && deceit() != null) {
      send(said.to(), said.message());
    }
  }
}
