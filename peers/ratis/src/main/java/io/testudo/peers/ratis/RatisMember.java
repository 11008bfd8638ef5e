package io.testudo.peers.ratis;

import io.testudo.bench.driver.PeerServers;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;

/** A server, whose state is numbers by name. */
public final class RatisMember {
  private static final RaftGroupId GROUP =
      RaftGroupId.valueOf(UUID.nameUUIDFromBytes("bench".getBytes(StandardCharsets.UTF_8)));

  private RatisMember() {}

  /** Its number, a directory, and the ports of all. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int self = Integer.parseInt(args[0]);
    List<Integer> ports = Arrays.stream(args).skip(2).map(Integer::valueOf).toList();
    RaftProperties properties = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(properties, List.of(new File(args[1])));
    GrpcConfigKeys.Server.setPort(properties, ports.get(self));
    RaftServer server =
        RaftServer.newBuilder()
            .setGroup(group(ports))
            .setServerId(peers(ports).get(self).getId())
            .setProperties(properties)
            .setStateMachine(new Counters())
            .build();
    server.start();
    new CountDownLatch(1).await(); // Until the parent ends.
  }

  static RaftGroup group(List<Integer> ports) {
    return RaftGroup.valueOf(GROUP, peers(ports));
  }

  private static List<RaftPeer> peers(List<Integer> ports) {
    List<RaftPeer> peers = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      peers.add(
          RaftPeer.newBuilder()
              .setId("member-" + i)
              .setAddress(PeerServers.LOOPBACK + ":" + ports.get(i))
              .build());
    }
    return peers;
  }

  /** A command is the name of a number, to which it adds one; a question is such a name, too. */
  private static final class Counters extends BaseStateMachine {
    private final Map<String, Long> counts = new ConcurrentHashMap<>();

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
      LogEntryProto entry = transaction.getLogEntry();
      String name = entry.getStateMachineLogEntry().getLogData().toStringUtf8();
      long count = counts.merge(name, 1L, Long::sum);
      updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
      return CompletableFuture.completedFuture(Message.valueOf(Long.toString(count)));
    }

    @Override
    public CompletableFuture<Message> query(Message question) {
      long count = counts.getOrDefault(question.getContent().toStringUtf8(), 0L);
      return CompletableFuture.completedFuture(Message.valueOf(Long.toString(count)));
    }
  }
}
