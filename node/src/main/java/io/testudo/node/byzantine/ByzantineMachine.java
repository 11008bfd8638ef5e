package io.testudo.node.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.sim.byzantine.ByzantineCore;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.sim.byzantine.HonestMachine;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
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
 * A server machine that can turn into a liar and back. Inside it an honest machine hears everything
 * and keeps its journal all the time, so it is correct again the moment it is let speak: only what
 * was said meanwhile was a lie.
 */
public final class ByzantineMachine extends Machine<ClientId> implements ByzantineCore.Host {
  /** Where lies provoke answers, and these more lies, nobody else would get a word in. */
  private static final int MAX_WORDS_A_SECOND = 2_000;

  private static final int MAX_DELAYED = 1_000;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The machines of a liar take themselves to have started so long ago. */
  private static final long HEAD_START_NANOS = 3_600 * SECOND_NANOS;

  /** A timer of the honest machine. */
  private record HonestTimer(TimerKey key) implements TimerKey {}

  /** A timer of an honest machine in one time of lies. */
  private record CopyTimer(long episode, int machine, TimerKey key) implements TimerKey {}

  /** When something is said that was held back. */
  private record Delayed(long number) implements TimerKey {}

  private final ServerId self;
  private final int servers;
  private final Supplier<Machine<ClientId>> maker;
  private final Machine<ClientId> honest;
  private final WireTypes types;
  private final Forger forger;
  private final Entropy entropy;
  private final FaultSwitch faultSwitch;
  private final Map<Delayed, OutgoingMessage> delayed = new HashMap<>();

  /** What the honest machine says to what was just heard. */
  private Set<OutgoingMessage> truths = Set.of();

  private FaultSwitch.@Nullable Plan plan;
  private @Nullable ByzantineCore episode;
  private long episodes;
  private long delays;
  private long secondBegunNanos;
  private int wordsThisSecond;

  /**
   * Makes a machine.
   *
   * @param maker makes an honest machine; each has the same chance
   * @param types what these machines say and hear
   */
  public ByzantineMachine(
      ServerId self,
      int servers,
      Supplier<Machine<ClientId>> maker,
      WireTypes types,
      Forger forger,
      Entropy entropy,
      FaultSwitch faultSwitch) {
    this.self = self;
    this.servers = servers;
    this.maker = maker;
    this.honest = maker.get();
    this.types = types;
    this.forger = forger;
    this.entropy = entropy;
    this.faultSwitch = faultSwitch;
    for (WireType<?> type : types.all()) {
      if (Message.class.isAssignableFrom(type.type())) {
        onMessage(type.type().asSubclass(Message.class), this::onAny);
      }
    }
    onTimer(HonestTimer.class, this::wakeHonest);
    onTimer(CopyTimer.class, this::wake);
    onTimer(Delayed.class, this::sayLate);
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    // No episode yet: a machine that has not started knows nothing for one to begin with.
    boolean aloud = faultSwitch.plan() == null;
    Set<OutgoingMessage> unused = honestly(new Input.Started<>(recovered), aloud);
  }

  private void wakeHonest(HonestTimer timer) {
    Set<OutgoingMessage> unused = honestly(new Input.TimerFired<>(timer.key()), episode() == null);
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
    ByzantineCore lying = episode();
    truths = honestly(heard, lying == null);
    if (lying != null) {
      lying.hear(heard, now());
    }
  }

  private void wake(CopyTimer timer) {
    ByzantineCore lying = episode();
    if (lying != null && timer.episode() == episodes) {
      truths = Set.of();
      lying.wake(timer.machine(), timer.key(), now());
    }
  }

  /** What lies as the server is up to now, made when it is first needed; null if honest. */
  private @Nullable ByzantineCore episode() {
    FaultSwitch.Plan present = faultSwitch.plan();
    if (present == null) {
      episode = null;
      delayed.clear();
    } else if (episode == null || !present.equals(plan)) {
      episodes++;
      episode =
          new ByzantineCore(
              present.kind().begin(entropy),
              new StrategyContext(self, servers, forger, types, entropy, present.collusion()),
              () -> new HonestMachine(maker),
              new Input.Started<>(honest.snapshot()),
              HEAD_START_NANOS,
              this);
    }
    plan = present;
    return episode;
  }

  @Override
  public void setTimer(int machine, TimerKey key, long delayNanos) {
    setTimer(new CopyTimer(episodes, machine, key), delayNanos);
  }

  @Override
  public void cancelTimer(int machine, TimerKey key) {
    cancelTimer(new CopyTimer(episodes, machine, key));
  }

  /** Lets the honest machine go on, and gives what it says; it is heard only if nobody lies. */
  private Set<OutgoingMessage> honestly(Input<ClientId> input, boolean aloud) {
    Set<OutgoingMessage> said = new HashSet<>();
    for (Effect<ClientId> effect : honest.step(input, now())) {
      if (effect instanceof Effect.Send<ClientId> send) {
        said.add(new OutgoingMessage(send.to(), send.message(), 0));
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
  public void say(List<OutgoingMessage> words) {
    if (words.isEmpty() && !truths.isEmpty()) {
      faultSwitch.lieTold(); // By silence.
    }
    for (OutgoingMessage said : words) {
      if (!mayStillSpeak()) {
        return;
      }
      if (!truths.contains(new OutgoingMessage(said.to(), said.message(), 0))) {
        faultSwitch.lieTold();
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
    OutgoingMessage said = delayed.remove(key);
    if (said != null && episode() != null) {
      send(said.to(), said.message());
    }
  }
}
