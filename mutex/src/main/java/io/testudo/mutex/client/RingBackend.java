package io.testudo.mutex.client;

import io.testudo.mutex.LockOptions;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The lock protocol of a ring, at one of its nodes, whose machine is there in any case. */
record RingBackend(RingNode node) implements LockBackend {
  @Override
  public String name() {
    return node.protocol().name();
  }

  @Override
  public Duration maxHold() {
    return node.protocol().maxHold();
  }

  @Override
  public Optional<String> whyUnfenced() {
    return node.protocol()
        .whyUnfenced()
        .map(why -> "The backend %s has no fencing tokens: %s.".formatted(name(), why));
  }

  @Override
  public LockOptions.Servers resolved(LockOptions.Servers wished) {
    if (wished != LockOptions.Servers.CONFIGURED && wished != LockOptions.Servers.ALL) {
      throw new IllegalArgumentException(
          "In a ring all replicas of a lock are asked; leave the choice of servers out.");
    }
    return LockOptions.Servers.ALL;
  }

  @Override
  public Moment now() {
    return node.now();
  }

  @Override
  public ClientMachine start(LockOptions.Servers asked, Consumer<Event> events, Runnable stopped) {
    return node.attach(events, stopped);
  }

  /** {@inheritDoc} One member is believed: those of a ring do not lie. */
  @Override
  public void onNoRight(Consumer<String> listener) {
    node.onAside(
        message -> {
          if (message instanceof NoRight refusal && refusal.right() == Right.LOCK) {
            listener.accept(refusal.name());
          }
        });
  }

  /** {@inheritDoc} It goes on: the node is a member, or ends with its client. */
  @Override
  public void stop(ClientMachine machine) {}
}
