package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Kind;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import io.testudo.bench.driver.ServerHarm;
import io.testudo.bench.peers.Peer.Durability;
import io.testudo.bench.peers.own.TestudoDriver;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Which system is harmed how, doing what. */
final class HarmCases {
  private HarmCases() {}

  /** As rows and options name it. */
  enum Subject {
    LOCK(Kind.LOCK),
    INCREMENT(Kind.INCREMENT);

    private final Kind kind;

    Subject(Kind kind) {
      this.kind = kind;
    }

    /** Blocking callers of one client object, as most have it: at a lock each, or one counter. */
    PeerWork work(int callers) {
      return new PeerWork(
          kind, Use.BLOCKING, Sharing.SHARED, callers, kind == Kind.LOCK ? callers : 1);
    }
  }

  /** One system, harmed in one way while it does one thing. */
  record HarmCase(Peer peer, ServerHarm harm, PeerWork work) {}

  /**
   * All of them, system by system. What leaves a system in doubt comes last, since others of the
   * same servers would be measured with what it left.
   */
  static ImmutableList<HarmCase> of(
      Collection<Peer> peers,
      Collection<ServerHarm> harms,
      Collection<Subject> subjects,
      int callers,
      String lie) {
    ImmutableList.Builder<HarmCase> cases = ImmutableList.builder();
    for (Peer peer : peers) {
      for (ServerHarm harm :
          ImmutableList.of(ServerHarm.STOP, ServerHarm.LAG, ServerHarm.LIE, ServerHarm.KILL)) {
        for (Subject subject : Subject.values()) {
          PeerWork work = subject.work(callers);
          if (harms.contains(harm)
              && subjects.contains(subject)
              && peer.can(work)
              && obstacle(peer, harm) == null) {
            cases.add(
                new HarmCase(harm == ServerHarm.LIE ? withLiar(peer, lie) : peer, harm, work));
          }
        }
      }
    }
    return cases.build();
  }

  /** Why a system is not harmed in this way; null if it is. */
  static @Nullable String obstacle(Peer peer, ServerHarm harm) {
    if (harm == ServerHarm.LIE && !peer.name().equals(Peers.TESTUDO)) {
      return "only Testudo has a server that can be told to lie";
    }
    if (harm == ServerHarm.KILL && peer.isOwn() && peer.durability() == Durability.MEMORY) {
      return "a server that has lost its memory waits for an operator";
    }
    return null;
  }

  /** Its last server lies when it is told to. */
  private static Peer withLiar(Peer peer, String lie) {
    Peer.Driver driver = peer.driver();
    return new Peer(
        peer.name(),
        peer.title(),
        peer.servers(),
        peer.durability(),
        peer.replication(),
        peer.faults(),
        peer.abilities(),
        new Peer.Driver(
            driver.main(),
            ImmutableList.<String>builder()
                .addAll(driver.arguments())
                .add(TestudoDriver.LIAR, lie)
                .build(),
            driver.library(),
            driver.program(),
            driver.debianPackage()));
  }
}
