package io.testudo.mutex.dht.ring;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.embedded.LoopbackPorts;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.HostResolver;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.ServerLoops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A ring in this process: members on free ports of the loopback address, on one thread, with keys
 * that are drawn anew. For tests, examples and {@code testudo ring}.
 */
public final class EmbeddedRing implements AutoCloseable {
  /** The name of such rings, which their keys are for. */
  public static final String NAME = "embedded-ring";

  private static final ImmutableSet<Right> OF_MEMBERS =
      ImmutableSet.of(Right.LOCK, Right.ADMINISTER);

  /** Generous: a hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  private static final int ENTRANCES = 3;

  private final RingProtocol protocol;
  private final LinkLimits limits;
  private final RingKeys keys;
  private final ServerLoops loops = ServerLoops.start(1);

  /** Not a monitor: nodes begin while it is held. It guards what follows. */
  private final ReentrantLock changing = new ReentrantLock();

  private final Map<Integer, RingNode> members = new TreeMap<>();
  private final Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
  private final List<RingNode> clients = new ArrayList<>();
  private final List<Grant> grants = new ArrayList<>();
  private volatile Rights rights = Rights.of(List.of(), List.of());
  private int nextMember;

  private EmbeddedRing(RingKeys keys, RingProtocol protocol, LinkLimits limits) {
    this.keys = keys;
    this.protocol = protocol;
    this.limits = limits;
  }

  /** Starts a ring, and waits until all have found their places. */
  public static EmbeddedRing start(int members, RingProtocol protocol) {
    return start(members, protocol, RingKeys.hmac(NAME));
  }

  /** The same, with such keys, which end with the ring. */
  public static EmbeddedRing start(int members, RingProtocol protocol, RingKeys keys) {
    EmbeddedRing ring = new EmbeddedRing(keys, protocol, LinkLimits.standard());
    try {
      for (int i = 0; i < members; i++) {
        int unused = ring.join();
      }
    } catch (RuntimeException e) {
      ring.close();
      throw e;
    }
    return ring;
  }

  /** The principal of a member. */
  public static String principalOf(int member) {
    return "m" + member;
  }

  /** A new member comes; gives its number when it has found its place. */
  public int join() {
    return join(RingMutex.HONEST);
  }

  /** The same, with a mutex that may be another than that of the others. */
  int join(RingMutex mutex) {
    int number;
    changing.lock();
    try {
      number = nextMember++;
      grant(Grant.of(principalOf(number), OF_MEMBERS, ""));
    } finally {
      changing.unlock();
    }
    begin(number, 0, mutex);
    return number;
  }

  private void grant(Grant grant) {
    changing.lock();
    try {
      grants.add(grant);
      rights = Rights.of(grants, List.of());
    } finally {
      changing.unlock();
    }
  }

  private void begin(int number, int port, RingMutex mutex) {
    ImmutableList<Endpoint> others = entrances();
    try {
      LoopbackPorts.Listener listener =
          address ->
              put(
                  number,
                  RingNode.member(
                      loops,
                      keys.member(principalOf(number)),
                      Gate.of(() -> rights),
                      HostResolver.ofSystem(),
                      limits,
                      protocol,
                      mutex,
                      address,
                      null,
                      others,
                      () -> {}));
      InetSocketAddress at = bind(listener, port);
      changing.lock();
      try {
        addresses.put(number, at);
      } finally {
        changing.unlock();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var unused = member(number).whenReady().orTimeout(GUARD_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Where another has taken the port meanwhile, a member comes back elsewhere. */
  private static InetSocketAddress bind(LoopbackPorts.Listener listener, int port)
      throws BindException {
    try {
      return LoopbackPorts.bind(listener, port);
    } catch (BindException e) {
      return LoopbackPorts.bind(listener, 0);
    }
  }

  private void put(int number, RingNode node) {
    changing.lock();
    try {
      members.put(number, node);
    } finally {
      changing.unlock();
    }
  }

  private @Nullable RingNode remove(int number) {
    changing.lock();
    try {
      return members.remove(number);
    } finally {
      changing.unlock();
    }
  }

  /** The keys of its members and clients. */
  public RingKeys keys() {
    return keys;
  }

  /** Where some members listen that live. */
  public ImmutableList<Endpoint> entrances() {
    changing.lock();
    try {
      return members.keySet().stream()
          .limit(ENTRANCES)
          .map(addresses::get)
          .map(at -> new Endpoint(at.getAddress().getHostAddress(), at.getPort()))
          .collect(ImmutableList.toImmutableList());
    } finally {
      changing.unlock();
    }
  }

  /** A client beside the ring that may contend for all locks. */
  public RingNode client(String principal) {
    return client(principal, "");
  }

  /** A client beside the ring that may contend for locks whose names start so. */
  public RingNode client(String principal, String prefix) {
    changing.lock();
    try {
      grant(Grant.of(principal, ImmutableSet.of(Right.LOCK), prefix));
      RingNode client =
          RingNode.client(null, keys.client(principal), limits, protocol, allAddresses());
      clients.add(client);
      return client;
    } finally {
      changing.unlock();
    }
  }

  /** Also of those that are away: they may come back. */
  private ImmutableList<Endpoint> allAddresses() {
    return addresses.values().stream()
        .map(at -> new Endpoint(at.getAddress().getHostAddress(), at.getPort()))
        .collect(ImmutableList.toImmutableList());
  }

  /** A member that lives. */
  public RingNode member(int number) {
    changing.lock();
    try {
      RingNode member = members.get(number);
      checkState(member != null, "m%s is away", number);
      return member;
    } finally {
      changing.unlock();
    }
  }

  /** The numbers of those that live. */
  public ImmutableList<Integer> living() {
    changing.lock();
    try {
      return ImmutableList.copyOf(members.keySet());
    } finally {
      changing.unlock();
    }
  }

  /** Ends a member without a word. */
  public void kill(int number) {
    RingNode member = remove(number);
    if (member != null) {
      member.kill();
    }
  }

  /** A member says goodbye and ends. */
  public void leave(int number) {
    RingNode member = remove(number);
    if (member != null) {
      member.close();
    }
  }

  /** Starts a member again: at the same address if it is free, with the same id and no memory. */
  public void restart(int number) {
    int port;
    changing.lock();
    try {
      checkState(!members.containsKey(number), "m%s lives", number);
      InetSocketAddress before = addresses.get(number);
      port = before == null ? 0 : before.getPort();
    } finally {
      changing.unlock();
    }
    begin(number, port, RingMutex.HONEST);
  }

  @Override
  public void close() {
    List<RingNode> all;
    changing.lock();
    try {
      all = new ArrayList<>(clients);
      all.addAll(members.values());
      clients.clear();
      members.clear();
    } finally {
      changing.unlock();
    }
    all.forEach(RingNode::kill);
    loops.close();
    keys.close();
  }
}
