package io.testudo.node.ring;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.ring.EmbeddedRing;
import io.testudo.mutex.dht.ring.NodeView;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.quorum.TestudoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A ring whose members are in this process. */
final class RingHere implements PlayedRing {
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

  private final EmbeddedRing ring;
  private final RingWatch watch;
  private final Supplier<String> lockName;
  private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
  private final Map<String, Contender> contenders = new ConcurrentHashMap<>();

  /** Starts a ring of so many. */
  RingHere(int members, RingProtocol protocol, RingWatch watch, Supplier<String> lockName) {
    this.ring = EmbeddedRing.start(members, protocol);
    this.watch = watch;
    this.lockName = lockName;
    ring.living().forEach(number -> numbers.put(EmbeddedRing.principalOf(number), number));
  }

  @Override
  public String join() {
    int number = ring.join();
    String name = EmbeddedRing.principalOf(number);
    numbers.put(name, number);
    return name;
  }

  private RingNode node(String member) {
    return ring.member(numberOf(member));
  }

  private int numberOf(String member) {
    return Objects.requireNonNull(numbers.get(member), member);
  }

  @Override
  public ImmutableMap<String, NodeId> members() {
    ImmutableMap.Builder<String, NodeId> all = ImmutableMap.builder();
    for (int number : ring.living()) {
      all.put(EmbeddedRing.principalOf(number), ring.member(number).id());
    }
    return all.buildOrThrow();
  }

  @Override
  public void contend(String member) {
    Contender contender = new Contender(member, LockClient.at(node(member)).build());
    contenders.put(member, contender);
    contender.start();
  }

  @Override
  public void kill(String member) {
    Contender contender = contenders.remove(member);
    if (contender != null) {
      contender.die();
    }
    ring.kill(numberOf(member));
    if (contender != null) {
      contender.stop();
    }
  }

  @Override
  public ImmutableList<String> misplaced() {
    List<NodeId> ids = new ArrayList<>(members().values());
    ids.sort(null);
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, NodeId> member : members().entrySet()) {
      NodeView view = node(member.getKey()).view();
      NodeId next = ids.get((ids.indexOf(member.getValue()) + 1) % ids.size());
      if (!view.joined() || (ids.size() > 1 && !view.neighbours().contains(next))) {
        wrong.add(member.getKey());
      }
    }
    return ImmutableList.copyOf(wrong);
  }

  @Override
  public void close() {
    contenders.values().forEach(Contender::stop);
    ring.close();
  }

  /** Asks for the lock, holds it for a while, gives it back, and so on. */
  private final class Contender implements Runnable {
    private final String name;
    private final LockClient client;
    private final Thread thread;
    private volatile boolean dead;
    private volatile @Nullable Lease held;

    Contender(String name, LockClient client) {
      this.name = name;
      this.client = client;
      this.thread = new Thread(this, "contender-" + name);
      thread.setDaemon(true);
    }

    void start() {
      thread.start();
    }

    @Override
    public void run() {
      DistributedLock lock = client.lock(lockName.get());
      try {
        while (!dead && !watch.isOver()) {
          watch.asks(name);
          try {
            use(lock.acquire());
          } catch (TestudoException e) {
            if (!dead) {
              watch.endsWithout(name);
            }
          }
        }
      } catch (InterruptedException e) {
        // It was killed, or all is over.
      }
    }

    private void use(Lease lease) throws InterruptedException {
      held = lease;
      watch.enters(name, System.nanoTime());
      LockSupport.parkNanos(HOLD_NANOS);
      watch.holdOn(name);
      if (!dead) { // One that is killed gives nothing back.
        watch.leaves(name);
        lease.close();
      }
    }

    /** To be called before its node is killed. */
    void die() {
      dead = true;
      Lease lease = held;
      if (name.equals(watch.holder()) && lease != null) {
        watch.diesHolding(name, System.nanoTime() + lease.remaining().toNanos());
      } else {
        watch.diesWaiting(name);
      }
    }

    void stop() {
      dead = true;
      thread.interrupt();
    }
  }
}
