package io.testudo.peers.jgroups;

import io.testudo.bench.driver.PeerServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jgroups.JChannel;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.blocks.CounterService;

/**
 * A member of the group, over TCP on loopback; the rest is as the library's own raft.xml has it.
 */
public final class JGroupsRaftMember {
  private static final String STACK =
      """
      <config xmlns="urn:org:jgroups">
        <TCP bind_addr="%1$s" bind_port="%2$d" port_range="0" diag.enabled="false"
             thread_pool.min_threads="2" thread_pool.max_threads="100"/>
        <TCPPING initial_hosts="%3$s" port_range="0"/>
        <MERGE3 max_interval="30000" min_interval="10000"/>
        <FD_ALL3/>
        <VERIFY_SUSPECT timeout="1500"/>
        <pbcast.NAKACK2 use_mcast_xmit="false"/>
        <UNICAST3/>
        <pbcast.STABLE desired_avg_gossip="50000" max_bytes="4M"/>
        <raft.NO_DUPES/>
        <pbcast.GMS print_local_addr="false" join_timeout="2000"/>
        <UFC max_credits="2M" min_threshold="0.4"/>
        <MFC max_credits="2M" min_threshold="0.4"/>
        <FRAG4 frag_size="60K"/>
        <raft.ELECTION/>
        <raft.RAFT members="%4$s" raft_id="%5$s" log_dir="%6$s"/>
        <raft.REDIRECT/>
      </config>
      """;

  private final JChannel channel;
  private final CounterService counters;

  private JGroupsRaftMember(JChannel channel) {
    this.channel = channel;
    // Reads ask the leader: a member's own number may be old.
    this.counters = new CounterService(channel).allowDirtyReads(false);
  }

  /**
   * Its number, a port that it listens at when there is a leader, a directory, all members' ports.
   */
  public static void main(String[] args) throws Exception {
    List<Integer> ports =
        IntStream.range(3, args.length).mapToObj(i -> Integer.valueOf(args[i])).toList();
    JGroupsRaftMember member = join(Integer.parseInt(args[0]), ports, Path.of(args[2]));
    member.awaitLeader();
    try (ServerSocket ready =
        new ServerSocket(Integer.parseInt(args[1]), 1, InetAddress.getLoopbackAddress())) {
      while (true) { // Until the parent ends.
        ready.accept().close(); // Whoever connects knows by that.
      }
    }
  }

  /** Joins the group. */
  static JGroupsRaftMember join(int self, List<Integer> ports, Path directory) throws Exception {
    String hosts =
        ports.stream()
            .map(port -> "%s[%d]".formatted(PeerServers.LOOPBACK, port))
            .collect(Collectors.joining(","));
    String members =
        IntStream.range(0, ports.size())
            .mapToObj(JGroupsRaftMember::id)
            .collect(Collectors.joining(","));
    Path stack =
        Files.writeString(
            Files.createDirectories(directory).resolve("stack.xml"),
            STACK.formatted(
                PeerServers.LOOPBACK, ports.get(self), hosts, members, id(self), directory));
    JChannel channel = new JChannel(stack.toString()).name(id(self));
    JGroupsRaftMember member = new JGroupsRaftMember(channel);
    channel.connect("bench");
    return member;
  }

  private static String id(int member) {
    return "member-" + member;
  }

  /** Looks again and again: listeners of roles are not told that another member leads. */
  void awaitLeader() throws InterruptedException {
    RAFT raft = channel.getProtocolStack().findProtocol(RAFT.class);
    while (raft.leader() == null) {
      Thread.sleep(20);
    }
  }

  CounterService counters() {
    return counters;
  }

  void close() throws IOException {
    channel.close();
  }
}
