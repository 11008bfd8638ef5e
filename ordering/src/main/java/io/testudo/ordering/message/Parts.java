package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;
import static java.util.Comparator.naturalOrder;

import com.google.common.collect.ImmutableSortedSet;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.testudo.crypto.Digest;
import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.log.Base;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EpochKept;
import io.testudo.ordering.log.MakerKept;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Operation;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.protocol.proto.AcceptedMessage;
import io.testudo.ordering.protocol.proto.BaseBody;
import io.testudo.ordering.protocol.proto.BasePart;
import io.testudo.ordering.protocol.proto.BodiesMessage;
import io.testudo.ordering.protocol.proto.BusyMessage;
import io.testudo.ordering.protocol.proto.EntryBody;
import io.testudo.ordering.protocol.proto.EntryPart;
import io.testudo.ordering.protocol.proto.EpochPart;
import io.testudo.ordering.protocol.proto.EpochRecord;
import io.testudo.ordering.protocol.proto.GetMessage;
import io.testudo.ordering.protocol.proto.MakerRecord;
import io.testudo.ordering.protocol.proto.MemoryNamePart;
import io.testudo.ordering.protocol.proto.MemoryPageMessage;
import io.testudo.ordering.protocol.proto.ObjectItemPart;
import io.testudo.ordering.protocol.proto.ObjectListMessage;
import io.testudo.ordering.protocol.proto.OperationPart;
import io.testudo.ordering.protocol.proto.ProposeMessage;
import io.testudo.ordering.protocol.proto.RankPart;
import io.testudo.ordering.protocol.proto.ReportMessage;
import io.testudo.ordering.protocol.proto.StatePart;
import io.testudo.ordering.protocol.proto.StatementPart;
import io.testudo.ordering.protocol.proto.StatementRecord;
import io.testudo.quorum.ServerId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The parts of messages and records, to and from protobuf. */
final class Parts {
  private Parts() {}

  static StatementRecord record(String object, Statement statement) {
    return StatementRecord.newBuilder().setObject(object).setStatement(proto(statement)).build();
  }

  static GetMessage proto(Get it) {
    GetMessage.Builder message =
        GetMessage.newBuilder()
            .setObject(it.object())
            .setNonce(it.nonce())
            .setRank(proto(it.rank()))
            .setSeal(bytes(it.seal()))
            .setCourteous(it.courteous());
    it.known().ifPresent(known -> message.setKnown(proto(known)));
    it.lost().forEach(lost -> message.addLost(proto(lost)));
    return message.build();
  }

  static ProposeMessage proto(Propose it) {
    ProposeMessage.Builder message =
        ProposeMessage.newBuilder()
            .setObject(it.object())
            .setProposal(proto(it.proposal()))
            .setRankSeal(bytes(it.rankSeal()));
    it.entries().forEach(entry -> message.addEntries(proto(entry)));
    it.commit().ifPresent(commit -> message.setCommit(proto(commit)));
    return message.build();
  }

  static ReportMessage proto(Report it) {
    ReportMessage.Builder message =
        ReportMessage.newBuilder().setObject(it.object()).setNonce(it.nonce()).setEpoch(it.epoch());
    it.others().forEach(other -> message.addOthers(proto(other)));
    it.proposed().ifPresent(said -> message.setProposed(proto(said)));
    it.committed().ifPresent(said -> message.setCommitted(proto(said)));
    it.pending().forEach(operation -> message.addPending(proto(operation)));
    it.entries().forEach(entry -> message.addEntries(proto(entry)));
    return message.build();
  }

  static AcceptedMessage proto(Accepted it) {
    AcceptedMessage.Builder message =
        AcceptedMessage.newBuilder()
            .setObject(it.object())
            .setRank(proto(it.rank()))
            .setVersion(it.version())
            .setStage(it.stage().number())
            .setEpoch(it.epoch());
    it.pending().forEach(operation -> message.addPending(proto(operation)));
    return message.build();
  }

  static BodiesMessage proto(Bodies it) {
    BodiesMessage.Builder message =
        BodiesMessage.newBuilder()
            .setObject(it.object())
            .setWanted(proto(it.wanted()))
            .setIsFirst(it.isFirst());
    it.base().ifPresent(base -> message.setBase(proto(base)));
    it.entries().forEach(entry -> message.addEntries(proto(entry)));
    return message.build();
  }

  static BusyMessage proto(Busy it) {
    return BusyMessage.newBuilder()
        .setObject(it.object())
        .setAsked(proto(it.asked()))
        .setLack(it.lack().number())
        .build();
  }

  static Busy busy(BusyMessage it) {
    return new Busy(name(it.getObject()), rank(it.getAsked()), Busy.Lack.ofNumber(it.getLack()));
  }

  static EpochRecord proto(EpochKept it) {
    return EpochRecord.newBuilder().setObject(it.object()).setEpoch(proto(it.epoch())).build();
  }

  static MakerRecord proto(MakerKept it) {
    return MakerRecord.newBuilder().setObject(it.object()).setPrincipal(it.principal()).build();
  }

  static EpochPart proto(MemoryEpoch it) {
    return EpochPart.newBuilder().setServer(it.server().index()).setEpoch(it.epoch()).build();
  }

  static MemoryEpoch epoch(EpochPart it) {
    return new MemoryEpoch(new ServerId(it.getServer()), it.getEpoch());
  }

  /** No list can be longer than a cluster: there is one epoch of each server. */
  static List<MemoryEpoch> epochs(List<EpochPart> parts) {
    checkArgument(parts.size() <= ServerId.MAX_SERVERS, "%s epochs are too many", parts.size());
    return map(parts, Parts::epoch);
  }

  static RankPart proto(Rank it) {
    return RankPart.newBuilder().setTime(it.time()).setSession(it.session()).build();
  }

  static Rank rank(RankPart it) {
    return new Rank(it.getTime(), it.getSession());
  }

  static StatePart proto(StateId it) {
    return StatePart.newBuilder()
        .setVersion(it.version())
        .setLink(ByteString.copyFrom(it.link().toByteArray()))
        .build();
  }

  static StateId state(StatePart it) {
    return new StateId(it.getVersion(), Digest.fromBytes(it.getLink().toByteArray()));
  }

  static StatementPart proto(Statement it) {
    return StatementPart.newBuilder()
        .setRank(proto(it.rank()))
        .setState(proto(it.state()))
        .setSeal(bytes(it.seal()))
        .build();
  }

  static Statement statement(StatementPart it) {
    return new Statement(rank(it.getRank()), state(it.getState()), seal(it.getSeal()));
  }

  static OperationPart proto(Operation it) {
    return OperationPart.newBuilder()
        .setSession(it.id().session())
        .setSequence(it.id().sequence())
        .setFloor(it.floor())
        .setBody(it.body())
        .setSeal(bytes(it.seal()))
        .build();
  }

  static Operation operation(OperationPart it) {
    return new Operation(
        new OpId(it.getSession(), it.getSequence()),
        it.getFloor(),
        it.getBody(),
        seal(it.getSeal()));
  }

  static EntryPart proto(Entry it) {
    return EntryPart.newBuilder()
        .setVersion(it.version())
        .setParent(ByteString.copyFrom(it.parent().toByteArray()))
        .setBody(it.body())
        .build();
  }

  /** One whose body makes no sense is malformed: what is kept here everybody has to read. */
  static Entry entry(EntryPart it) {
    check(it.getBody(), EntryBody.parser(), Sessions::check);
    return new Entry(it.getVersion(), Digest.fromBytes(it.getParent().toByteArray()), it.getBody());
  }

  private static <B> void check(ByteString body, Parser<B> parser, Consumer<B> rules) {
    try {
      rules.accept(parser.parseFrom(body));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("a body is malformed", e);
    }
  }

  static BasePart proto(Base it) {
    return BasePart.newBuilder().setCommit(proto(it.commit())).setBody(it.body()).build();
  }

  static Base base(BasePart it) {
    check(it.getBody(), BaseBody.parser(), Sessions::check);
    return new Base(statement(it.getCommit()), it.getBody());
  }

  /** Names that are longer than records can hold are malformed, and so is none. */
  static String name(String object) {
    return ObjectLimits.checkName(object);
  }

  static <A, B> List<B> map(List<A> from, Function<A, B> each) {
    return from.stream().map(each).toList();
  }

  static ByteString bytes(Optional<Seal> seal) {
    return seal.isEmpty() ? ByteString.EMPTY : ByteString.copyFrom(seal.get().encode());
  }

  static Optional<Seal> seal(ByteString bytes) {
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Seal.decode(bytes.toByteArray()));
    } catch (MalformedSealException e) {
      throw new IllegalArgumentException("the seal is malformed", e);
    }
  }

  static ObjectListMessage proto(ObjectList list) {
    ObjectListMessage.Builder proto =
        ObjectListMessage.newBuilder().setNonce(list.nonce()).setMore(list.more());
    for (ObjectList.Item item : list.objects()) {
      proto.addObjects(
          ObjectItemPart.newBuilder().setObject(item.object()).setVersion(item.version()));
    }
    return proto.build();
  }

  static ObjectList.Item item(ObjectItemPart proto) {
    return new ObjectList.Item(name(proto.getObject()), proto.getVersion());
  }

  static MemoryPageMessage proto(MemoryPage it) {
    MemoryPageMessage.Builder page =
        MemoryPageMessage.newBuilder()
            .setNonce(it.nonce())
            .setEpoch(it.epoch())
            .setIsComplete(it.isComplete())
            .setDoubtful(it.doubtful())
            .addAllLost(map(it.lost(), Parts::proto))
            .setMore(it.more());
    for (MemoryPage.Name one : it.names()) {
      page.addNames(
          MemoryNamePart.newBuilder().setObject(one.object()).setIsDoubtful(one.isDoubtful()));
    }
    return page.build();
  }

  static MemoryPage.Name memoryName(MemoryNamePart it) {
    return new MemoryPage.Name(name(it.getObject()), it.getIsDoubtful());
  }

  static ImmutableSortedSet<String> names(List<String> names) {
    return names.stream().map(Parts::name).collect(toImmutableSortedSet(naturalOrder()));
  }
}
