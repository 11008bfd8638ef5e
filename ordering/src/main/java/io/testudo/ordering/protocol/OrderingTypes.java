package io.testudo.ordering.protocol;

import com.google.protobuf.ByteString;
import io.testudo.crypto.Digest;
import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import io.testudo.ordering.protocol.proto.AcceptedMessage;
import io.testudo.ordering.protocol.proto.AnsweredMessage;
import io.testudo.ordering.protocol.proto.BasePart;
import io.testudo.ordering.protocol.proto.BaseRecord;
import io.testudo.ordering.protocol.proto.BodiesMessage;
import io.testudo.ordering.protocol.proto.CommitMessage;
import io.testudo.ordering.protocol.proto.EntryPart;
import io.testudo.ordering.protocol.proto.EntryRecord;
import io.testudo.ordering.protocol.proto.FetchMessage;
import io.testudo.ordering.protocol.proto.GetMessage;
import io.testudo.ordering.protocol.proto.MissingMessage;
import io.testudo.ordering.protocol.proto.OperationPart;
import io.testudo.ordering.protocol.proto.ProposeMessage;
import io.testudo.ordering.protocol.proto.RankPart;
import io.testudo.ordering.protocol.proto.RankRecord;
import io.testudo.ordering.protocol.proto.RebaseMessage;
import io.testudo.ordering.protocol.proto.ReportMessage;
import io.testudo.ordering.protocol.proto.StatePart;
import io.testudo.ordering.protocol.proto.StatementPart;
import io.testudo.ordering.protocol.proto.StatementRecord;
import io.testudo.ordering.protocol.proto.SubmitMessage;
import io.testudo.ordering.protocol.proto.SupersededMessage;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The messages and records of ordering on the wire and on disk. Numbers are permanent. */
public final class OrderingTypes {
  private static final int SMALL_BYTES = 2_048;
  private static final int LARGE_BYTES = (3 << 20) + (1 << 19);

  public static final WireTypes ALL =
      WireTypes.of(
          WireType.of(
              48,
              Submit.class,
              Operation.MAX_BODY_BYTES + SMALL_BYTES,
              it ->
                  SubmitMessage.newBuilder()
                      .setObject(it.object())
                      .setOperation(proto(it.operation()))
                      .build(),
              SubmitMessage.parser(),
              it -> new Submit(it.getObject(), operation(it.getOperation()))),
          WireType.of(
              49,
              Get.class,
              SMALL_BYTES,
              OrderingTypes::proto,
              GetMessage.parser(),
              it ->
                  new Get(
                      it.getObject(),
                      it.getNonce(),
                      rank(it.getRank()),
                      seal(it.getSeal()),
                      it.hasKnown() ? Optional.of(state(it.getKnown())) : Optional.empty())),
          WireType.of(
              50,
              Propose.class,
              LARGE_BYTES,
              OrderingTypes::proto,
              ProposeMessage.parser(),
              it ->
                  new Propose(
                      it.getObject(),
                      statement(it.getProposal()),
                      seal(it.getRankSeal()),
                      map(it.getEntriesList(), OrderingTypes::entry),
                      it.hasCommit() ? Optional.of(statement(it.getCommit())) : Optional.empty())),
          WireType.of(
              51,
              Commit.class,
              SMALL_BYTES,
              it ->
                  CommitMessage.newBuilder()
                      .setObject(it.object())
                      .setCommit(proto(it.commit()))
                      .setRankSeal(bytes(it.rankSeal()))
                      .build(),
              CommitMessage.parser(),
              it -> new Commit(it.getObject(), statement(it.getCommit()), seal(it.getRankSeal()))),
          WireType.of(
              52,
              Fetch.class,
              SMALL_BYTES,
              it ->
                  FetchMessage.newBuilder()
                      .setObject(it.object())
                      .setKnown(proto(it.known()))
                      .setWanted(proto(it.wanted()))
                      .build(),
              FetchMessage.parser(),
              it -> new Fetch(it.getObject(), state(it.getKnown()), state(it.getWanted()))),
          WireType.of(
              53,
              Rebase.class,
              LARGE_BYTES,
              it ->
                  RebaseMessage.newBuilder()
                      .setObject(it.object())
                      .setBase(proto(it.base()))
                      .build(),
              RebaseMessage.parser(),
              it -> new Rebase(it.getObject(), base(it.getBase()))),
          WireType.of(
              56,
              Report.class,
              LARGE_BYTES,
              OrderingTypes::proto,
              ReportMessage.parser(),
              it ->
                  new Report(
                      it.getObject(),
                      it.getNonce(),
                      it.hasProposed()
                          ? Optional.of(statement(it.getProposed()))
                          : Optional.empty(),
                      it.hasCommitted()
                          ? Optional.of(statement(it.getCommitted()))
                          : Optional.empty(),
                      map(it.getPendingList(), OrderingTypes::operation),
                      map(it.getEntriesList(), OrderingTypes::entry))),
          WireType.of(
              57,
              Accepted.class,
              LARGE_BYTES,
              OrderingTypes::proto,
              AcceptedMessage.parser(),
              it ->
                  new Accepted(
                      it.getObject(),
                      rank(it.getRank()),
                      it.getVersion(),
                      Accepted.Stage.ofNumber(it.getStage()),
                      map(it.getPendingList(), OrderingTypes::operation))),
          WireType.of(
              58,
              Superseded.class,
              SMALL_BYTES,
              it ->
                  SupersededMessage.newBuilder()
                      .setObject(it.object())
                      .setAsked(proto(it.asked()))
                      .setRank(proto(it.rank()))
                      .setSeal(bytes(it.seal()))
                      .build(),
              SupersededMessage.parser(),
              it ->
                  new Superseded(
                      it.getObject(), rank(it.getAsked()), rank(it.getRank()), seal(it.getSeal()))),
          WireType.of(
              59,
              Missing.class,
              SMALL_BYTES,
              it ->
                  MissingMessage.newBuilder()
                      .setObject(it.object())
                      .setRank(proto(it.rank()))
                      .setWanted(proto(it.wanted()))
                      .setNewest(proto(it.newest()))
                      .build(),
              MissingMessage.parser(),
              it ->
                  new Missing(
                      it.getObject(),
                      rank(it.getRank()),
                      state(it.getWanted()),
                      state(it.getNewest()))),
          WireType.of(
              60,
              Bodies.class,
              LARGE_BYTES,
              OrderingTypes::proto,
              BodiesMessage.parser(),
              it ->
                  new Bodies(
                      it.getObject(),
                      state(it.getWanted()),
                      it.hasBase() ? Optional.of(base(it.getBase())) : Optional.empty(),
                      map(it.getEntriesList(), OrderingTypes::entry))),
          WireType.of(
              61,
              Answered.class,
              LARGE_BYTES,
              it ->
                  AnsweredMessage.newBuilder()
                      .setObject(it.object())
                      .setSession(it.id().session())
                      .setSequence(it.id().sequence())
                      .setVersion(it.version())
                      .setForgotten(it.result().isEmpty())
                      .setResult(it.result().orElse(ByteString.EMPTY))
                      .build(),
              AnsweredMessage.parser(),
              it ->
                  new Answered(
                      it.getObject(),
                      new OpId(it.getSession(), it.getSequence()),
                      it.getVersion(),
                      it.getForgotten() ? Optional.empty() : Optional.of(it.getResult()))),
          WireType.of(
              64,
              RankKept.class,
              SMALL_BYTES,
              it ->
                  RankRecord.newBuilder()
                      .setObject(it.object())
                      .setRank(proto(it.rank()))
                      .setSeal(bytes(it.seal()))
                      .build(),
              RankRecord.parser(),
              it -> new RankKept(it.getObject(), rank(it.getRank()), seal(it.getSeal()))),
          WireType.of(
              65,
              EntryKept.class,
              LARGE_BYTES,
              it ->
                  EntryRecord.newBuilder()
                      .setObject(it.object())
                      .setEntry(proto(it.entry()))
                      .build(),
              EntryRecord.parser(),
              it -> new EntryKept(it.getObject(), entry(it.getEntry()))),
          WireType.of(
              66,
              ProposalKept.class,
              SMALL_BYTES,
              it -> record(it.object(), it.proposal()),
              StatementRecord.parser(),
              it -> new ProposalKept(it.getObject(), statement(it.getStatement()))),
          WireType.of(
              67,
              CommitKept.class,
              SMALL_BYTES,
              it -> record(it.object(), it.commit()),
              StatementRecord.parser(),
              it -> new CommitKept(it.getObject(), statement(it.getStatement()))),
          WireType.of(
              68,
              BaseKept.class,
              LARGE_BYTES,
              it ->
                  BaseRecord.newBuilder().setObject(it.object()).setBase(proto(it.base())).build(),
              BaseRecord.parser(),
              it -> new BaseKept(it.getObject(), base(it.getBase()))));

  private OrderingTypes() {}

  private static StatementRecord record(String object, Statement statement) {
    return StatementRecord.newBuilder().setObject(object).setStatement(proto(statement)).build();
  }

  private static GetMessage proto(Get it) {
    GetMessage.Builder message =
        GetMessage.newBuilder()
            .setObject(it.object())
            .setNonce(it.nonce())
            .setRank(proto(it.rank()))
            .setSeal(bytes(it.seal()));
    it.known().ifPresent(known -> message.setKnown(proto(known)));
    return message.build();
  }

  private static ProposeMessage proto(Propose it) {
    ProposeMessage.Builder message =
        ProposeMessage.newBuilder()
            .setObject(it.object())
            .setProposal(proto(it.proposal()))
            .setRankSeal(bytes(it.rankSeal()));
    it.entries().forEach(entry -> message.addEntries(proto(entry)));
    it.commit().ifPresent(commit -> message.setCommit(proto(commit)));
    return message.build();
  }

  private static ReportMessage proto(Report it) {
    ReportMessage.Builder message =
        ReportMessage.newBuilder().setObject(it.object()).setNonce(it.nonce());
    it.proposed().ifPresent(said -> message.setProposed(proto(said)));
    it.committed().ifPresent(said -> message.setCommitted(proto(said)));
    it.pending().forEach(operation -> message.addPending(proto(operation)));
    it.entries().forEach(entry -> message.addEntries(proto(entry)));
    return message.build();
  }

  private static AcceptedMessage proto(Accepted it) {
    AcceptedMessage.Builder message =
        AcceptedMessage.newBuilder()
            .setObject(it.object())
            .setRank(proto(it.rank()))
            .setVersion(it.version())
            .setStage(it.stage().number());
    it.pending().forEach(operation -> message.addPending(proto(operation)));
    return message.build();
  }

  private static BodiesMessage proto(Bodies it) {
    BodiesMessage.Builder message =
        BodiesMessage.newBuilder().setObject(it.object()).setWanted(proto(it.wanted()));
    it.base().ifPresent(base -> message.setBase(proto(base)));
    it.entries().forEach(entry -> message.addEntries(proto(entry)));
    return message.build();
  }

  private static RankPart proto(Rank it) {
    return RankPart.newBuilder().setTime(it.time()).setSession(it.session()).build();
  }

  private static Rank rank(RankPart it) {
    return new Rank(it.getTime(), it.getSession());
  }

  private static StatePart proto(StateId it) {
    return StatePart.newBuilder()
        .setVersion(it.version())
        .setLink(ByteString.copyFrom(it.link().toByteArray()))
        .build();
  }

  private static StateId state(StatePart it) {
    return new StateId(it.getVersion(), Digest.fromBytes(it.getLink().toByteArray()));
  }

  private static StatementPart proto(Statement it) {
    return StatementPart.newBuilder()
        .setRank(proto(it.rank()))
        .setState(proto(it.state()))
        .setSeal(bytes(it.seal()))
        .build();
  }

  private static Statement statement(StatementPart it) {
    return new Statement(rank(it.getRank()), state(it.getState()), seal(it.getSeal()));
  }

  private static OperationPart proto(Operation it) {
    return OperationPart.newBuilder()
        .setSession(it.id().session())
        .setSequence(it.id().sequence())
        .setFloor(it.floor())
        .setBody(it.body())
        .setSeal(bytes(it.seal()))
        .build();
  }

  private static Operation operation(OperationPart it) {
    return new Operation(
        new OpId(it.getSession(), it.getSequence()),
        it.getFloor(),
        it.getBody(),
        seal(it.getSeal()));
  }

  private static EntryPart proto(Entry it) {
    return EntryPart.newBuilder()
        .setVersion(it.version())
        .setParent(ByteString.copyFrom(it.parent().toByteArray()))
        .setBody(it.body())
        .build();
  }

  private static Entry entry(EntryPart it) {
    return new Entry(it.getVersion(), Digest.fromBytes(it.getParent().toByteArray()), it.getBody());
  }

  private static BasePart proto(Base it) {
    return BasePart.newBuilder().setCommit(proto(it.commit())).setBody(it.body()).build();
  }

  private static Base base(BasePart it) {
    return new Base(statement(it.getCommit()), it.getBody());
  }

  private static <A, B> List<B> map(List<A> from, Function<A, B> each) {
    return from.stream().map(each).toList();
  }

  private static ByteString bytes(Optional<Seal> seal) {
    return seal.isEmpty() ? ByteString.EMPTY : ByteString.copyFrom(seal.get().encode());
  }

  private static Optional<Seal> seal(ByteString bytes) {
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Seal.decode(bytes.toByteArray()));
    } catch (MalformedSealException e) {
      throw new IllegalArgumentException("the seal is malformed", e);
    }
  }
}
