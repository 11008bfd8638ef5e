package io.testudo.peers.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.testudo.bench.driver.PeerServers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A member, with a CP subsystem of all members. */
public final class HazelcastMember {
  private HazelcastMember() {}

  /** Its own port, and those of all members. */
  public static void main(String[] args) throws InterruptedException {
    List<String> members =
        Arrays.stream(args).skip(1).map(port -> PeerServers.LOOPBACK + ":" + port).toList();
    Config config = new Config();
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.getCPSubsystemConfig().setCPMemberCount(members.size());
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(Integer.parseInt(args[0])).setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface(PeerServers.LOOPBACK);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true).setMembers(members);
    HazelcastInstance unused = Hazelcast.newHazelcastInstance(config);
    new CountDownLatch(1).await(); // Until the parent ends.
  }
}
