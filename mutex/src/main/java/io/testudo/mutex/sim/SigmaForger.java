package io.testudo.mutex.sim;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.sigma.Check;
import io.testudo.mutex.sigma.Confirm;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.mutex.sigma.Inquiry;
import io.testudo.mutex.sigma.Owner;
import io.testudo.mutex.sigma.Request;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaRefused;
import io.testudo.mutex.sigma.SigmaRelease;
import io.testudo.mutex.sigma.SigmaRequest;
import io.testudo.mutex.sigma.Yield;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.sim.byzantine.HonestStep;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;

/** What a liar can say of a lock with a queue: that it is yours, another's or free, to anyone. */
final class SigmaForger implements Forger {
  private static final long MILLI = 1_000_000L;
  private static final long FAR_MILLIS = 1L << 40;
  private static final int REMEMBERED = 12;

  /** A fence is raised for longer than contenders wait for the others to agree to it. */
  private static final int RAISES = 120;

  private static final long RAISE_NANOS = 3 * MILLI;

  /** How many contenders a liar makes happy at once. */
  private static final int GRANTED_AT_ONCE = 3;

  private final LockTiming timing;

  /** What liars have heard of contenders: epochs, the newest last. */
  private static final class Heard {
    final List<Contending> all = new ArrayList<>();
    long lies;

    void note(Contending contending) {
      all.removeIf(
          other ->
              other.client().equals(contending.client())
                  && other.request().time() == contending.request().time());
      all.add(contending);
      if (all.size() > REMEMBERED) {
        all.remove(0);
      }
    }

    Contending any(Entropy entropy) {
      return all.get(entropy.nextInt(all.size()));
    }
  }

  private record Contending(ClientId client, SigmaRequest request, long number) {}

  SigmaForger(LockTiming timing) {
    this.timing = timing;
  }

  @Override
  public List<OutgoingMessage> forge(ByzantineKind kind, HonestStep step, StrategyContext context) {
    Heard heard = context.shared(Heard.class, Heard::new);
    if (kind == ByzantineKind.STARVE) {
      return raising(step.meant(), heard);
    }
    if (!(step.cause() instanceof Input.Received<ClientId> received
        && received.message() instanceof SigmaRequest request)) {
      return step.meant();
    }
    ClientId from = received.from();
    if (request instanceof SigmaRelease) {
      // Clients answer grants to the dead by leaving. One lie for each would never end.
      return step.meant();
    }
    Contending asking = new Contending(from, request, number(request));
    heard.note(asking);
    return switch (kind) {
      case ALWAYS_FREE, EARLY_COMMIT -> granted(asking, heard, step, context, kind);
      case ALWAYS_LOCKED -> List.of(say(from, locked(asking, heard, context)));
      case WILD_NUMBER -> List.of(say(from, wild(asking, heard, step, context)));
      case INVENT -> List.of(say(from, invented(asking, heard, context)));
      case WRONG_ID -> List.of(say(from, anothers(asking, heard, context)));
      default -> step.meant();
    };
  }

  private static long number(SigmaRequest request) {
    return request instanceof Request it
        ? it.number()
        : request instanceof Yield it
            ? it.number()
            : request instanceof Confirm it
                ? it.number()
                : request instanceof Inquiry it ? it.number() : 1;
  }

  private static OutgoingMessage say(ClientId to, Message message) {
    return new OutgoingMessage(to, message, 0);
  }

  /** A grant, with what the contender wants to hear if it wants to hear something. */
  private static Response yours(Contending to, long fence, Heard heard, StrategyContext context) {
    SigmaRequest request = to.request();
    boolean agrees = request instanceof Confirm && context.entropy().chance(0.8);
    GrantId grant =
        agrees ? ((Confirm) request).grant() : new GrantId(liedIncarnation(context), ++heard.lies);
    long shown = request instanceof Confirm it ? Math.max(fence, it.fence()) : fence;
    return new Response(
        request.lock(),
        request.contender(),
        request.time(),
        new Owner(request.time(), to.client().session(), request.contender()),
        true,
        grant,
        0,
        0,
        to.number(),
        to.number(),
        Math.max(1, shown));
  }

  private static long liedIncarnation(StrategyContext context) {
    return context.entropy().chance(0.8) ? 7 : context.entropy().nextLong();
  }

  private static List<OutgoingMessage> granted(
      Contending asking,
      Heard heard,
      HonestStep step,
      StrategyContext context,
      ByzantineKind kind) {
    List<OutgoingMessage> said = new ArrayList<>();
    if (kind == ByzantineKind.EARLY_COMMIT) {
      said.addAll(step.meant());
    } else {
      said.add(say(asking.client(), yours(asking, asking.request().time(), heard, context)));
    }
    int others = 0;
    for (int i = heard.all.size() - 1; i >= 0 && others < GRANTED_AT_ONCE; i--) {
      Contending other = heard.all.get(i);
      if (other.request().lock().equals(asking.request().lock()) && context.entropy().chance(0.5)) {
        OutgoingMessage early =
            say(other.client(), yours(other, other.request().time(), heard, context));
        said.add(early.later(context.entropy().nextLong(50 * MILLI)));
        others++;
      }
    }
    return said;
  }

  /** Its grants are true but for the fence, and that it raises again and again, unasked. */
  private static List<OutgoingMessage> raising(List<OutgoingMessage> meant, Heard heard) {
    List<OutgoingMessage> said = new ArrayList<>();
    for (OutgoingMessage each : meant) {
      long fence = fenceOf(each.message());
      if (fence == 0) {
        said.add(each);
      }
      for (int i = 0; i < RAISES && fence > 0; i++) {
        Message raised = withFence(each.message(), fence + ++heard.lies);
        said.add(each.saying(raised).later(i * RAISE_NANOS));
      }
    }
    return said;
  }

  /** What a grant demands, or 0 if it is none. */
  private static long fenceOf(Message message) {
    return message instanceof Response response && response.yours()
        ? response.fence()
        : message instanceof Check check ? check.fence() : 0;
  }

  private static Message withFence(Message message, long wanted) {
    long fence = Math.min(RankClock.MAX_TIME, wanted);
    if (message instanceof Check it) {
      return new Check(
          it.lock(), it.contender(), it.time(), it.grant(), it.echo(), it.leased(), fence);
    }
    Response it = (Response) message;
    return new Response(
        it.lock(),
        it.contender(),
        it.time(),
        it.owner(),
        true,
        it.grant(),
        it.position(),
        it.waitNanos(),
        it.echo(),
        it.leased(),
        fence);
  }

  private static Response state(
      Contending to, Owner owner, GrantId grant, long waitNanos, long echo) {
    SigmaRequest request = to.request();
    return new Response(
        request.lock(),
        request.contender(),
        request.time(),
        owner,
        false,
        grant,
        1,
        waitNanos,
        echo,
        0,
        0);
  }

  /** Some other has it: a ghost, or one of those who want it. */
  private static Message locked(Contending asking, Heard heard, StrategyContext context) {
    Entropy entropy = context.entropy();
    SigmaRequest other = heard.any(entropy).request();
    GrantId grant = new GrantId(liedIncarnation(context), ++heard.lies);
    Owner owner =
        entropy.chance(0.5)
            ? new Owner(1 + entropy.nextLong(1_000), entropy.nextLong(), 0)
            : new Owner(other.time(), heard.any(entropy).client().session(), other.contender());
    return switch (entropy.nextInt(5)) {
      case 0 -> new SigmaRefused(asking.request().time(), RefusalReason.OTHER_BACKEND, 0);
      case 1 ->
          new SigmaRefused(asking.request().time(), RefusalReason.QUARANTINED, Long.MAX_VALUE);
      case 2 -> state(asking, owner, grant, Long.MAX_VALUE, asking.number());
      default -> state(asking, owner, grant, entropy.nextLong(10 * MILLI), asking.number());
    };
  }

  private Message wild(Contending asking, Heard heard, HonestStep step, StrategyContext context) {
    Entropy entropy = context.entropy();
    long farMillis = step.now().wallMillis() + entropy.nextLong(FAR_MILLIS);
    long nearMillis = step.now().wallMillis() + timing.maxSkewMillis() / 2;
    Owner late = new Owner(RankClock.atWall(farMillis), entropy.nextLong(), 0);
    GrantId wildest = new GrantId(entropy.nextLong(), Long.MAX_VALUE);
    return switch (entropy.nextInt(7)) {
      case 0 -> yours(asking, Long.MAX_VALUE, heard, context);
      case 1 -> yours(asking, RankClock.atWall(farMillis), heard, context);
      case 2 -> yours(asking, RankClock.atWall(nearMillis), heard, context);
      case 3 -> state(asking, late, wildest, 0, asking.number());
      case 4 -> state(asking, Owner.NONE, wildest, 0, Long.MAX_VALUE);
      case 5 -> state(asking, new Owner(Long.MAX_VALUE, 0, 0), wildest, 0, asking.number());
      default -> state(asking, Owner.NONE, new GrantId(7, ++heard.lies), 0, asking.number());
    };
  }

  /** It has forgotten everything, or recalls what never was. */
  private static Message invented(Contending asking, Heard heard, StrategyContext context) {
    SigmaRequest request = asking.request();
    GrantId grant = new GrantId(context.entropy().nextLong(), ++heard.lies);
    return switch (context.entropy().nextInt(3)) {
      case 0 -> state(asking, Owner.NONE, grant, 0, asking.number());
      case 1 ->
          new Check(
              request.lock(),
              request.contender(),
              request.time(),
              grant,
              asking.number(),
              asking.number(),
              1);
      default ->
          new Check(
              request.lock(),
              request.contender() + 1,
              Math.min(RankClock.MAX_TIME, request.time() + 1),
              grant,
              1,
              1,
              1);
    };
  }

  private static Message anothers(Contending asking, Heard heard, StrategyContext context) {
    Contending other = heard.any(context.entropy());
    return context.entropy().chance(0.5)
        ? yours(other, other.request().time(), heard, context)
        : state(
            other,
            new Owner(asking.request().time(), asking.client().session(), 0),
            new GrantId(7, ++heard.lies),
            0,
            other.number());
  }
}
