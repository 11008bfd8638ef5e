package io.testudo.ordering.message;

import static io.testudo.ordering.message.Parts.base;
import static io.testudo.ordering.message.Parts.bytes;
import static io.testudo.ordering.message.Parts.entry;
import static io.testudo.ordering.message.Parts.epoch;
import static io.testudo.ordering.message.Parts.epochs;
import static io.testudo.ordering.message.Parts.map;
import static io.testudo.ordering.message.Parts.name;
import static io.testudo.ordering.message.Parts.names;
import static io.testudo.ordering.message.Parts.operation;
import static io.testudo.ordering.message.Parts.proto;
import static io.testudo.ordering.message.Parts.rank;
import static io.testudo.ordering.message.Parts.record;
import static io.testudo.ordering.message.Parts.seal;
import static io.testudo.ordering.message.Parts.state;
import static io.testudo.ordering.message.Parts.statement;

import com.google.protobuf.ByteString;
import io.testudo.ordering.log.BaseKept;
import io.testudo.ordering.log.CommitKept;
import io.testudo.ordering.log.EntryKept;
import io.testudo.ordering.log.EpochKept;
import io.testudo.ordering.log.MakerKept;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Operation;
import io.testudo.ordering.log.ProposalKept;
import io.testudo.ordering.log.RankKept;
import io.testudo.ordering.protocol.proto.AbsentMessage;
import io.testudo.ordering.protocol.proto.AcceptedMessage;
import io.testudo.ordering.protocol.proto.AnsweredMessage;
import io.testudo.ordering.protocol.proto.AskMemoryMessage;
import io.testudo.ordering.protocol.proto.BaseRecord;
import io.testudo.ordering.protocol.proto.BodiesMessage;
import io.testudo.ordering.protocol.proto.BusyMessage;
import io.testudo.ordering.protocol.proto.CommitMessage;
import io.testudo.ordering.protocol.proto.CompleteMemoryMessage;
import io.testudo.ordering.protocol.proto.EnrolledRecord;
import io.testudo.ordering.protocol.proto.EntryRecord;
import io.testudo.ordering.protocol.proto.EpochRecord;
import io.testudo.ordering.protocol.proto.FetchMessage;
import io.testudo.ordering.protocol.proto.GetMessage;
import io.testudo.ordering.protocol.proto.ListObjectsMessage;
import io.testudo.ordering.protocol.proto.MakerRecord;
import io.testudo.ordering.protocol.proto.MemoryPageMessage;
import io.testudo.ordering.protocol.proto.MissingMessage;
import io.testudo.ordering.protocol.proto.ObjectListMessage;
import io.testudo.ordering.protocol.proto.PastMessage;
import io.testudo.ordering.protocol.proto.ProposeMessage;
import io.testudo.ordering.protocol.proto.RankRecord;
import io.testudo.ordering.protocol.proto.RebaseMessage;
import io.testudo.ordering.protocol.proto.ReportMessage;
import io.testudo.ordering.protocol.proto.RestoreMessage;
import io.testudo.ordering.protocol.proto.StatementRecord;
import io.testudo.ordering.protocol.proto.SubmitMessage;
import io.testudo.ordering.protocol.proto.SupersededMessage;
import io.testudo.ordering.protocol.proto.UnattendedMessage;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.Optional;

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
              it -> new Submit(name(it.getObject()), operation(it.getOperation()))),
          WireType.of(
              49,
              Get.class,
              SMALL_BYTES,
              Parts::proto,
              GetMessage.parser(),
              it ->
                  new Get(
                      name(it.getObject()),
                      it.getNonce(),
                      rank(it.getRank()),
                      seal(it.getSeal()),
                      it.hasKnown() ? Optional.of(state(it.getKnown())) : Optional.empty(),
                      it.getCourteous(),
                      epochs(it.getLostList()))),
          WireType.of(
              50,
              Propose.class,
              LARGE_BYTES,
              Parts::proto,
              ProposeMessage.parser(),
              it ->
                  new Propose(
                      name(it.getObject()),
                      statement(it.getProposal()),
                      seal(it.getRankSeal()),
                      map(it.getEntriesList(), Parts::entry),
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
                      .setIsLast(it.isLast())
                      .build(),
              CommitMessage.parser(),
              it ->
                  new Commit(
                      name(it.getObject()),
                      statement(it.getCommit()),
                      seal(it.getRankSeal()),
                      it.getIsLast())),
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
              it -> new Fetch(name(it.getObject()), state(it.getKnown()), state(it.getWanted()))),
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
              it -> new Rebase(name(it.getObject()), base(it.getBase()))),
          WireType.of(
              54,
              Restore.class,
              SMALL_BYTES,
              it ->
                  RestoreMessage.newBuilder()
                      .setObject(it.object())
                      .setRank(proto(it.rank()))
                      .setRankSeal(bytes(it.rankSeal()))
                      .setEpoch(it.epoch())
                      .addAllOthers(map(it.others(), Parts::proto))
                      .build(),
              RestoreMessage.parser(),
              it ->
                  new Restore(
                      name(it.getObject()),
                      rank(it.getRank()),
                      seal(it.getRankSeal()),
                      it.getEpoch(),
                      epochs(it.getOthersList()))),
          WireType.of(
              56,
              Report.class,
              LARGE_BYTES,
              Parts::proto,
              ReportMessage.parser(),
              it ->
                  new Report(
                      name(it.getObject()),
                      it.getNonce(),
                      it.hasProposed()
                          ? Optional.of(statement(it.getProposed()))
                          : Optional.empty(),
                      it.hasCommitted()
                          ? Optional.of(statement(it.getCommitted()))
                          : Optional.empty(),
                      map(it.getPendingList(), Parts::operation),
                      map(it.getEntriesList(), Parts::entry),
                      it.getEpoch(),
                      epochs(it.getOthersList()))),
          WireType.of(
              57,
              Accepted.class,
              LARGE_BYTES,
              Parts::proto,
              AcceptedMessage.parser(),
              it ->
                  new Accepted(
                      name(it.getObject()),
                      rank(it.getRank()),
                      it.getVersion(),
                      Accepted.Stage.ofNumber(it.getStage()),
                      map(it.getPendingList(), Parts::operation),
                      it.getEpoch())),
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
                      name(it.getObject()),
                      rank(it.getAsked()),
                      rank(it.getRank()),
                      seal(it.getSeal()))),
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
                      name(it.getObject()),
                      rank(it.getRank()),
                      state(it.getWanted()),
                      state(it.getNewest()))),
          WireType.of(
              60,
              Bodies.class,
              LARGE_BYTES,
              Parts::proto,
              BodiesMessage.parser(),
              it ->
                  new Bodies(
                      name(it.getObject()),
                      state(it.getWanted()),
                      it.getIsFirst(),
                      it.hasBase() ? Optional.of(base(it.getBase())) : Optional.empty(),
                      map(it.getEntriesList(), Parts::entry))),
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
                      name(it.getObject()),
                      new OpId(it.getSession(), it.getSequence()),
                      it.getVersion(),
                      it.getForgotten() ? Optional.empty() : Optional.of(it.getResult()))),
          WireType.of(62, Busy.class, SMALL_BYTES, Parts::proto, BusyMessage.parser(), Parts::busy),
          WireType.of(
              63,
              Unattended.class,
              SMALL_BYTES,
              it -> UnattendedMessage.newBuilder().setObject(it.object()).build(),
              UnattendedMessage.parser(),
              it -> new Unattended(name(it.getObject()))),
          WireType.of(
              73,
              Past.class,
              SMALL_BYTES,
              it ->
                  PastMessage.newBuilder()
                      .setObject(it.object())
                      .setSession(it.id().session())
                      .setSequence(it.id().sequence())
                      .setHorizon(it.horizon())
                      .build(),
              PastMessage.parser(),
              it ->
                  new Past(
                      name(it.getObject()),
                      new OpId(it.getSession(), it.getSequence()),
                      it.getHorizon())),
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
              it -> new RankKept(name(it.getObject()), rank(it.getRank()), seal(it.getSeal()))),
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
              it -> new EntryKept(name(it.getObject()), entry(it.getEntry()))),
          WireType.of(
              66,
              ProposalKept.class,
              SMALL_BYTES,
              it -> record(it.object(), it.proposal()),
              StatementRecord.parser(),
              it -> new ProposalKept(name(it.getObject()), statement(it.getStatement()))),
          WireType.of(
              67,
              CommitKept.class,
              SMALL_BYTES,
              it -> record(it.object(), it.commit()),
              StatementRecord.parser(),
              it -> new CommitKept(name(it.getObject()), statement(it.getStatement()))),
          WireType.of(
              68,
              BaseKept.class,
              LARGE_BYTES,
              it ->
                  BaseRecord.newBuilder().setObject(it.object()).setBase(proto(it.base())).build(),
              BaseRecord.parser(),
              it -> new BaseKept(name(it.getObject()), base(it.getBase()))),
          WireType.of(
              69,
              Enrolled.class,
              LARGE_BYTES,
              it ->
                  EnrolledRecord.newBuilder()
                      .setEpoch(it.epoch())
                      .setIsComplete(it.isComplete())
                      .addAllDoubtful(it.doubtful())
                      .build(),
              EnrolledRecord.parser(),
              it -> new Enrolled(it.getEpoch(), it.getIsComplete(), names(it.getDoubtfulList()))),
          WireType.of(
              74,
              EpochKept.class,
              SMALL_BYTES,
              Parts::proto,
              EpochRecord.parser(),
              it -> new EpochKept(it.getObject(), epoch(it.getEpoch()))),
          WireType.of(
              78,
              MakerKept.class,
              SMALL_BYTES,
              Parts::proto,
              MakerRecord.parser(),
              it -> new MakerKept(name(it.getObject()), it.getPrincipal())),
          WireType.of(
              70,
              Absent.class,
              SMALL_BYTES,
              it ->
                  AbsentMessage.newBuilder()
                      .setObject(it.object())
                      .setAsked(proto(it.asked()))
                      .setEpoch(it.epoch())
                      .build(),
              AbsentMessage.parser(),
              it -> new Absent(name(it.getObject()), rank(it.getAsked()), it.getEpoch())),
          WireType.of(
              71,
              ListObjects.class,
              SMALL_BYTES,
              it ->
                  ListObjectsMessage.newBuilder()
                      .setNonce(it.nonce())
                      .setPrefix(it.prefix())
                      .setAfter(it.after())
                      .build(),
              ListObjectsMessage.parser(),
              it -> new ListObjects(it.getNonce(), it.getPrefix(), it.getAfter())),
          WireType.of(
              72,
              ObjectList.class,
              ObjectList.MAX_OBJECTS * SMALL_BYTES,
              Parts::proto,
              ObjectListMessage.parser(),
              it ->
                  new ObjectList(
                      it.getNonce(), map(it.getObjectsList(), Parts::item), it.getMore())),
          WireType.of(
              75,
              AskMemory.class,
              SMALL_BYTES,
              it ->
                  AskMemoryMessage.newBuilder()
                      .setNonce(it.nonce())
                      .addAllLost(map(it.lost(), Parts::proto))
                      .setAfter(it.after())
                      .build(),
              AskMemoryMessage.parser(),
              it -> new AskMemory(it.getNonce(), epochs(it.getLostList()), it.getAfter())),
          WireType.of(
              76,
              MemoryPage.class,
              MemoryPage.MAX_NAMES * SMALL_BYTES,
              Parts::proto,
              MemoryPageMessage.parser(),
              it ->
                  new MemoryPage(
                      it.getNonce(),
                      it.getEpoch(),
                      it.getIsComplete(),
                      it.getDoubtful(),
                      epochs(it.getLostList()),
                      map(it.getNamesList(), Parts::memoryName),
                      it.getMore())),
          WireType.of(
              77,
              CompleteMemory.class,
              LARGE_BYTES,
              it ->
                  CompleteMemoryMessage.newBuilder()
                      .setNonce(it.nonce())
                      .setEpoch(it.epoch())
                      .addAllLost(map(it.lost(), Parts::proto))
                      .addAllNames(it.names())
                      .build(),
              CompleteMemoryMessage.parser(),
              it ->
                  new CompleteMemory(
                      it.getNonce(),
                      it.getEpoch(),
                      epochs(it.getLostList()),
                      names(it.getNamesList()))));

  private OrderingTypes() {}
}
