package io.testudo.peers.jgroups;

import io.testudo.bench.driver.PeerConnection;
import io.testudo.bench.driver.PeerCounter;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerServers;
import io.testudo.bench.driver.PeerSystem;
import io.testudo.bench.driver.PeerWork.Use;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jgroups.raft.blocks.CounterService;
import org.jgroups.raft.blocks.RaftAsyncCounter;
import org.jgroups.raft.blocks.RaftSyncCounter;

/**
 * jgroups-raft with three members. It has no clients but its members: so this process is the third
 * one, which joins when the others have a leader, and callers use its counters.
 */
public final class JGroupsRaftDriver {
  private static final int OTHERS = 2;

  private JGroupsRaftDriver() {}

  /** No arguments. */
  public static void main(String[] args) throws InterruptedException {
    PeerDriver.main(JGroupsRaftDriver::start);
  }

  private static PeerSystem start(PeerServers servers) throws Exception {
    List<Integer> ports = PeerServers.freePorts(2 * OTHERS + 1);
    List<Integer> members = ports.subList(0, OTHERS + 1);
    for (int i = 0; i < OTHERS; i++) {
      String name = "member-" + i;
      servers.startJava(
          name,
          JGroupsRaftMember.class.getName(),
          Stream.concat(
                  Stream.of(i, ports.get(OTHERS + 1 + i), servers.directory(name)),
                  members.stream())
              .map(String::valueOf)
              .toArray(String[]::new));
    }
    for (int i = 0; i < OTHERS; i++) {
      servers.awaitPort(ports.get(OTHERS + 1 + i));
    }
    JGroupsRaftMember self =
        JGroupsRaftMember.join(OTHERS, members, servers.directory("member-" + OTHERS));
    self.awaitLeader();
    return new Group(self);
  }

  private record Group(JGroupsRaftMember self) implements PeerSystem {
    @Override
    public String version() {
      return "jgroups-raft " + PeerServers.versionOf(CounterService.class);
    }

    @Override
    public PeerConnection connect(int index) {
      return new Client(self.counters());
    }

    @Override
    public void close() throws IOException {
      self.close();
    }
  }

  private record Client(CounterService counters) implements PeerConnection {
    @Override
    public PeerCounter counter(String name, Use use) throws Exception {
      RaftSyncCounter counter = counters.getOrCreateCounter(name, 0);
      return new Count(counter, counter.async());
    }

    @Override
    public void close() {}
  }

  private record Count(RaftSyncCounter counter, RaftAsyncCounter async) implements PeerCounter {
    @Override
    public long increment() {
      return counter.incrementAndGet();
    }

    @Override
    public long get() {
      return counter.get();
    }

    @Override
    public CompletionStage<Long> incrementAsync() {
      return async.incrementAndGet();
    }
  }
}
