package io.testudo.mutex.dht.wire;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.e2e.Dequeue;
import io.testudo.mutex.dht.e2e.Enqueue;
import io.testudo.mutex.dht.e2e.Enqueued;
import io.testudo.mutex.dht.e2e.IAmWinner;
import io.testudo.mutex.dht.e2e.NotOwner;
import io.testudo.mutex.dht.e2e.Token;
import io.testudo.mutex.dht.e2e.TokenPass;
import io.testudo.mutex.dht.e2e.TokenReceipt;
import io.testudo.mutex.dht.e2e.TokenRelease;
import io.testudo.mutex.dht.e2e.WinnerReply;
import io.testudo.mutex.dht.overlay.Acquaintances;
import io.testudo.mutex.dht.overlay.AskMembers;
import io.testudo.mutex.dht.overlay.GapLookup;
import io.testudo.mutex.dht.overlay.Goodbye;
import io.testudo.mutex.dht.overlay.Hop;
import io.testudo.mutex.dht.overlay.HopReceipt;
import io.testudo.mutex.dht.overlay.JoinRequest;
import io.testudo.mutex.dht.overlay.MemberHello;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Probe;
import io.testudo.mutex.dht.overlay.ProbeReply;
import io.testudo.mutex.dht.overlay.Welcome;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.mutex.dht.partial.HeldBack;
import io.testudo.mutex.dht.partial.PathFlush;
import io.testudo.mutex.dht.partial.PathRelease;
import io.testudo.mutex.dht.partial.PathYield;
import io.testudo.mutex.dht.sigma.FromReplica;
import io.testudo.mutex.dht.sigma.Locate;
import io.testudo.mutex.dht.sigma.Located;
import io.testudo.mutex.dht.sigma.NotHere;
import io.testudo.mutex.dht.sigma.ToReplica;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteYield;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.dht.zone.MemberCertificate;
import io.testudo.mutex.dht.zone.ZoneClaim;
import io.testudo.mutex.dht.zone.ZoneRelease;
import io.testudo.mutex.dht.zone.ZoneRequest;
import io.testudo.mutex.dht.zone.ZoneVote;
import io.testudo.mutex.dht.zone.ZoneYield;
import io.testudo.mutex.sigma.Check;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.mutex.sigma.Request;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;

/** A sample of each message of a ring, by the name of its type. All nodes in them differ. */
public final class RingSamples {
  static final String LOCK = "pr\u00fcfung";

  private static final NodeId NODE = new NodeId(-7);
  private static final NodeId OTHER = new NodeId(11);
  private static final ImmutableList<NodeId> NODES = ImmutableList.of(NODE, OTHER);
  private static final ReplicaName REPLICA = new ReplicaName(LOCK, 4);
  private static final RequestId FIRST = new RequestId(1L << 60, new NodeId(21));
  private static final RequestId SECOND = new RequestId((1L << 60) + 1, new NodeId(-22));
  private static final WaitingRequest WAITING = new WaitingRequest(FIRST, 800_000_000, 3);
  private static final WaitingRequest BEHIND = new WaitingRequest(SECOND, 800_000_000, 300);
  private static final GrantId STATE = new GrantId(-9, 300);
  private static final Token TOKEN = new Token(SECOND, 5);
  private static final VoteRequest VOTE_REQUEST = new VoteRequest(REPLICA, WAITING, true);

  private static final VoteReply VOTE_REPLY =
      new VoteReply(REPLICA, FIRST, Optional.of(SECOND), Optional.of(NODE), STATE, 3, 2, 77);
  private static final ZoneClaim CLAIM =
      new ZoneClaim(
          new MemberCertificate(new NodeId(31), Bytes.wrap(new byte[] {3, -1})),
          new MemberCertificate(new NodeId(-32), Bytes.wrap(new byte[] {4})),
          new MemberCertificate(new NodeId(33), Bytes.EMPTY),
          new Zone(-31, 31),
          300);

  private static final ImmutableList<Message> ALL =
      ImmutableList.of(
          new Hop(300, false, -5, 2, VOTE_REQUEST),
          new HopReceipt(300),
          new JoinRequest(NODE),
          new Acquaintances(NODES),
          new AskMembers(),
          new Welcome(NODES),
          new MemberHello(),
          new Goodbye(),
          new Probe(),
          new ProbeReply(NODES),
          new GapLookup(NODE),
          new RingLetter(
              NODE,
              OTHER,
              ImmutableList.of(
                  new NodeAddress(OTHER, new Endpoint("127.0.0.1", 7001)),
                  new NodeAddress(NODE, new Endpoint("a.example", 65_535))),
              new Hop(7, true, 5, 0, new JoinRequest(NODE))),
          new Locate(NODE, LOCK, 4),
          new Located(LOCK, 4),
          new ToReplica(NODE, -3, 4, new Request(LOCK, 3, 1L << 60, 800_000_000, 2)),
          new FromReplica(-3, 4, new Check(LOCK, 3, 1L << 60, STATE, 6, 5, 1L << 61)),
          new NotHere(LOCK, 4),
          VOTE_REQUEST,
          VOTE_REPLY,
          new VoteYield(REPLICA, WAITING, STATE, true),
          new IAmWinner(REPLICA, TOKEN, WAITING),
          new WinnerReply(REPLICA, TOKEN, FIRST, true, STATE, 3),
          new Enqueue(LOCK, WAITING, 1),
          new Enqueued(LOCK, FIRST),
          new NotOwner(LOCK, FIRST),
          new Dequeue(LOCK, FIRST),
          new TokenPass(LOCK, TOKEN, FIRST, ImmutableList.of(BEHIND)),
          new TokenReceipt(LOCK, TOKEN, FIRST),
          new TokenRelease(REPLICA, TOKEN, WAITING.id()),
          new HeldBack(REPLICA, FIRST, SECOND),
          new PathRelease(REPLICA, FIRST, ImmutableList.of(BEHIND)),
          new PathYield(REPLICA, WAITING, STATE, ImmutableList.of(BEHIND)),
          new PathFlush(REPLICA, ImmutableList.of(WAITING, BEHIND)),
          new ZoneRequest(LOCK, WAITING),
          new ZoneVote(VOTE_REPLY, CLAIM, ImmutableList.of(new NodeId(41), new NodeId(-42))),
          new ZoneYield(LOCK, WAITING, STATE),
          new ZoneRelease(LOCK, FIRST));

  private RingSamples() {}

  public static ImmutableMap<String, Message> byName() {
    return ALL.stream()
        .collect(
            ImmutableMap.toImmutableMap(
                message -> message.getClass().getSimpleName(), message -> message));
  }

  /** What is said inside of letters. */
  static List<Message> payloads() {
    return ALL.stream().filter(message -> !(message instanceof RingLetter)).toList();
  }
}
