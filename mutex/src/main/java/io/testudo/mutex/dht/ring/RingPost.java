package io.testudo.mutex.dht.ring;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.dht.overlay.Acquaintances;
import io.testudo.mutex.dht.overlay.AskMembers;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.wire.NodeAddress;
import io.testudo.mutex.dht.wire.RingLetter;
import io.testudo.mutex.dht.wire.RingTypes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.netty.NettyPeer;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Transport;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages between nodes: knows at which address a node is, tells others the addresses of
 * the nodes that a message speaks of, and passes on what is for clients that are connected here.
 * All on the loop of its peer.
 *
 * <p>Over a connection that another has opened it believes only what the keys of that one show: who
 * it is. Those that it has dialled itself have shown that they are members, and with TLS which one:
 * then a member hears from each of them only what that one says itself. A client also hears over
 * such a connection what other members say to it, because it listens nowhere; but neither votes nor
 * whom another knows, by which one that lies could take their place.
 */
final class RingPost implements Transport<NodeId, Message>, NettyPeer.Mail {
  /** Nodes whose addresses are remembered; the one goes that was not asked for the longest. */
  private static final int MAX_ADDRESSES = 32_768;

  /** Nodes that have connected; those that are gone are found out when they are sent something. */
  private static final int MAX_LINKED = 16_384;

  /** Takes what is for this node. */
  interface Inbox {
    /**
     * A message.
     *
     * @param speaker the principal that is to blame for it; null if another may have said it first
     */
    void take(NodeId from, Message message, @Nullable String speaker);

    /** Something that is no letter, from one who was dialled. */
    void aside(Message message);
  }

  /**
   * One who has connected.
   *
   * @param isMember whether it has said what only members may say
   */
  private record Linked(ClientId peer, boolean isMember) {}

  private final NettyPeer peer;
  private final NodeId self;
  private final boolean member;
  private final Inbox inbox;
  private final RingCertificates certificates;
  private final Map<NodeId, Endpoint> addresses = BoundedMap.byUse(MAX_ADDRESSES);

  /** Where members listen, as members said: no other addresses are dialled. */
  private final Map<Endpoint, Boolean> ofMembers = BoundedMap.byUse(MAX_ADDRESSES);

  /**
   * Where members have shown themselves over connections that this node has opened. Others may tell
   * other addresses, and as many as they like: these are not forgotten for it.
   */
  private final Map<NodeId, Endpoint> shownAt = BoundedMap.byUse(MAX_LINKED);

  private final Map<NodeId, Linked> linked = BoundedMap.byUse(MAX_LINKED);

  /** Where this node is reached; of a client, where the member is that it last asked for others. */
  private @Nullable Endpoint home;

  private long heardNanos;

  RingPost(
      NettyPeer peer, NodeId self, boolean member, RingCertificates certificates, Inbox inbox) {
    this.peer = peer;
    this.self = self;
    this.member = member;
    this.inbox = inbox;
    this.certificates = certificates;
  }

  void setHome(Endpoint at) {
    home = at;
  }

  @Nullable Endpoint home() {
    return home;
  }

  /** When a member was last heard. */
  long heardNanos() {
    return heardNanos;
  }

  @Override
  public void send(NodeId to, Message message) {
    if (to.equals(self)) {
      peer.execute(() -> inbox.take(self, message, null)); // Not within the step that says it.
      return;
    }
    Linked link = linked.get(to);
    if (link != null) {
      if (peer.answer(link.peer(), letter(to, message))) {
        return;
      }
      linked.remove(to);
    }
    placesOf(to).forEach(place -> peer.dial(place, letter(to, message)));
  }

  /** Where to dial a node: where members say, and where it was before if that is not sure. */
  ImmutableSet<Endpoint> placesOf(NodeId to) {
    ImmutableSet.Builder<Endpoint> places = ImmutableSet.builder();
    Endpoint told = addresses.get(to);
    // A client may once have been reached through this very node, and is gone.
    if (told != null && !(member && told.equals(home))) {
      places.add(told);
    }
    Endpoint before = shownAt.get(to);
    if (before != null && !isAt(to, told)) {
      places.add(before);
    }
    return places.build();
  }

  /** Whether the node has shown itself over a connection that still is. */
  private boolean isAt(NodeId node, @Nullable Endpoint address) {
    String there = address == null ? null : peer.memberAt(address);
    return there != null && node.equals(NodeNames.member(there));
  }

  /** Links gather what is sent, and flush by themselves. */
  @Override
  public void flush() {}

  /** Asks the member at an address, whoever that is, for others. */
  void askMembersAt(Endpoint address) {
    peer.dial(address, letter(RingLetter.WHOEVER, new AskMembers()));
  }

  private RingLetter letter(NodeId to, Message payload) {
    ImmutableList.Builder<NodeAddress> introduced = ImmutableList.builder();
    if (home != null) {
      introduced.add(new NodeAddress(self, home));
    }
    for (NodeId node : RingTypes.nodesIn(payload)) {
      Endpoint known = node.equals(self) ? null : addresses.get(node);
      if (known != null) {
        introduced.add(new NodeAddress(node, known));
      }
    }
    return new RingLetter(to, self, introduced.build(), payload);
  }

  @Override
  public void accepted(ClientId from, Message message) {
    if (!(message instanceof RingLetter letter)) {
      return;
    }
    Linked link = linkOf(letter, from);
    if (link == null) {
      return; // It says that it is another.
    }
    if (link.isMember()) {
      certificates.met(letter.from(), () -> peer.shownBy(from));
      letter.addresses().forEach(this::note);
      take(letter, null);
    } else {
      RingLetter vetted = vetted(letter);
      vetted.addresses().forEach(one -> noteFromClient(one, letter.from()));
      take(vetted, from.principal());
    }
  }

  private void take(RingLetter letter, @Nullable String speaker) {
    if (isForMe(letter)) {
      inbox.take(letter.from(), letter.payload(), speaker);
    } else {
      passOn(letter);
    }
  }

  /** The word of a member. */
  private void note(NodeAddress told) {
    if (!isMetElsewhere(told)) {
      addresses.put(told.node(), told.at());
    }
    ofMembers.put(told.at(), true);
  }

  /** Who has shown itself over a connection that still is is there, whatever others say. */
  private boolean isMetElsewhere(NodeAddress told) {
    Endpoint known = addresses.get(told.node());
    return known != null && !known.equals(told.at()) && isAt(told.node(), known);
  }

  private void noteFromClient(NodeAddress told, NodeId client) {
    if (told.node().equals(client)) {
      addresses.put(told.node(), told.at());
    } else {
      addresses.putIfAbsent(told.node(), told.at()); // A client's word is better than none.
    }
  }

  /**
   * What a client says, with such addresses only as members have told: else it could make nodes
   * dial whatever it names. It is reached through this node if the one that it names is not known.
   */
  private RingLetter vetted(RingLetter letter) {
    ImmutableList.Builder<NodeAddress> kept = ImmutableList.builder();
    for (NodeAddress told : letter.addresses()) {
      if (told.at().equals(home) || ofMembers.containsKey(told.at())) {
        kept.add(told);
      } else if (told.node().equals(letter.from()) && home != null) {
        kept.add(new NodeAddress(told.node(), home));
      }
    }
    return new RingLetter(letter.to(), letter.from(), kept.build(), letter.payload());
  }

  /** The connection over which a node is reached that has the keys for its id; else null. */
  private @Nullable Linked linkOf(RingLetter letter, ClientId from) {
    NodeId node = letter.from();
    Linked known = linked.get(node);
    if (known != null
        && known.peer().equals(from)
        && (known.isMember() || !RingTypes.isOfMembers(letter.payload()))) {
      return known;
    }
    boolean hasMembersId = node.equals(NodeNames.member(from.principal()));
    if (!hasMembersId && !node.equals(NodeNames.client(from.principal(), from.session()))) {
      return null;
    }
    // That id anybody can have: its rights were looked at before such a payload came here.
    Linked fresh = new Linked(from, hasMembersId && RingTypes.isOfMembers(letter.payload()));
    linked.put(node, fresh);
    return fresh;
  }

  private boolean isForMe(RingLetter letter) {
    return letter.to().equals(self) || letter.to().equals(RingLetter.WHOEVER);
  }

  /**
   * A client that is connected here is reached through this node; what it is told goes no further.
   */
  private void passOn(RingLetter letter) {
    Linked link = linked.get(letter.to());
    if (link != null && !peer.answer(link.peer(), letter)) {
      linked.remove(letter.to());
    }
  }

  @Override
  public void dialled(Endpoint from, @Nullable String principal, Message message) {
    if (!(message instanceof RingLetter letter)) {
      inbox.aside(message);
      return;
    }
    boolean isPassedOn = principal != null && !letter.from().equals(NodeNames.member(principal));
    if (isPassedOn && (member || RingTypes.isFirstHand(letter.payload()))) {
      return; // It says that it is another: nothing is passed on to members.
    }
    if (principal != null && !isPassedOn) {
      certificates.met(letter.from(), () -> peer.shownAt(from));
      shownAt.put(letter.from(), from);
    }
    heardNanos = peer.now().nanos();
    ofMembers.put(from, true);
    letter.addresses().forEach(this::note);
    if (!isForMe(letter)) {
      return;
    }
    if (letter.payload() instanceof Acquaintances) {
      addresses.put(letter.from(), from);
      if (!member) {
        home = from;
      }
    }
    inbox.take(letter.from(), letter.payload(), null);
  }

  /** Where it would dial a node, for checks. */
  @Nullable Endpoint addressOf(NodeId node) {
    return addresses.get(node);
  }
}
