package io.testudo.ordering.message;

import static io.testudo.ordering.message.Parts.BASE;
import static io.testudo.ordering.message.Parts.ENTRY;
import static io.testudo.ordering.message.Parts.EPOCH;
import static io.testudo.ordering.message.Parts.ITEM;
import static io.testudo.ordering.message.Parts.OPERATION;
import static io.testudo.ordering.message.Parts.RANK;
import static io.testudo.ordering.message.Parts.STATE;
import static io.testudo.ordering.message.Parts.STATEMENT;
import static io.testudo.ordering.message.Parts.epochs;
import static io.testudo.ordering.message.Parts.id;
import static io.testudo.ordering.message.Parts.name;
import static io.testudo.ordering.message.Parts.names;
import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.bytes;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.inline;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.optional;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.seal;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import io.testudo.ordering.log.CommitKept;
import io.testudo.ordering.log.EntryKept;
import io.testudo.ordering.log.EpochKept;
import io.testudo.ordering.log.MakerKept;
import io.testudo.ordering.log.ProposalKept;
import io.testudo.ordering.log.RankKept;
import io.testudo.ordering.log.SnapshotKept;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;
import java.util.Optional;

/** The messages and records of ordering on the wire and on disk. Numbers are permanent. */
public final class OrderingTypes {
  private static final int SMALL_BYTES = 2_048;
  private static final int LARGE_BYTES = (3 << 20) + (1 << 19);

  /** What came of an operation. Empty and forgotten: the result was given up as received. */
  private static final Schema<Optional<Bytes>> RESULT =
      Schema.of(
          bool(5, Optional<Bytes>::isEmpty),
          bytes(6, it -> it.orElse(Bytes.EMPTY)),
          (forgotten, result) -> forgotten ? Optional.empty() : Optional.of(result));

  /** Those by which operations are ordered: without hints, which nothing rests on. */
  public static final WireTypes WITHOUT_HINTS =
      WireTypes.of(
          WireType.of(
              48,
              Submit.class,
              SubmittedOperation.MAX_BODY_BYTES + SMALL_BYTES,
              Schema.of(
                  name(1, Submit::object), message(2, Submit::operation, OPERATION), Submit::new)),
          WireType.of(
              49,
              Get.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Get::object),
                  uint64(2, Get::nonce),
                  message(3, Get::rank, RANK),
                  seal(4, Get::seal),
                  optional(5, Get::known, STATE),
                  bool(6, Get::courteous),
                  epochs(7, Get::lost),
                  optional(8, Get::displaced, RANK),
                  Get::new)),
          WireType.of(
              50,
              Propose.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, Propose::object),
                  message(2, Propose::proposal, STATEMENT),
                  seal(3, Propose::rankSeal),
                  repeated(4, Propose::entries, ENTRY),
                  optional(5, Propose::commit, STATEMENT),
                  Propose::new)),
          WireType.of(
              51,
              Commit.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Commit::object),
                  message(2, Commit::commit, STATEMENT),
                  seal(3, Commit::rankSeal),
                  Commit::new)),
          WireType.of(
              52,
              Fetch.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Fetch::object),
                  message(2, Fetch::known, STATE),
                  message(3, Fetch::wanted, STATE),
                  Fetch::new)),
          WireType.of(
              53,
              InstallSnapshot.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, InstallSnapshot::object),
                  message(2, InstallSnapshot::snapshot, BASE),
                  InstallSnapshot::new)),
          WireType.of(
              54,
              Restore.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Restore::object),
                  message(2, Restore::rank, RANK),
                  seal(3, Restore::rankSeal),
                  uint64(4, Restore::epoch),
                  epochs(5, Restore::others),
                  Restore::new)),
          WireType.of(
              56,
              Report.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, Report::object),
                  uint64(2, Report::nonce),
                  optional(3, Report::proposed, STATEMENT),
                  optional(4, Report::committed, STATEMENT),
                  repeated(5, Report::pending, OPERATION),
                  repeated(6, Report::entries, ENTRY),
                  uint64(7, Report::epoch),
                  epochs(8, Report::others),
                  Report::new)),
          WireType.of(
              57,
              Accepted.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, Accepted::object),
                  message(2, Accepted::rank, RANK),
                  uint64(3, Accepted::version),
                  uint32(4, it -> it.stage().number(), Accepted.Stage::ofNumber),
                  repeated(5, Accepted::pending, OPERATION),
                  uint64(6, Accepted::epoch),
                  Accepted::new)),
          WireType.of(
              58,
              Superseded.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Superseded::object),
                  message(2, Superseded::asked, RANK),
                  message(3, Superseded::rank, RANK),
                  seal(4, Superseded::seal),
                  Superseded::new)),
          WireType.of(
              59,
              Missing.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Missing::object),
                  message(2, Missing::rank, RANK),
                  message(3, Missing::wanted, STATE),
                  message(4, Missing::newest, STATE),
                  Missing::new)),
          WireType.of(
              60,
              Bodies.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, Bodies::object),
                  message(2, Bodies::wanted, STATE),
                  bool(5, Bodies::isFirst),
                  optional(3, Bodies::snapshot, BASE),
                  repeated(4, Bodies::entries, ENTRY),
                  Bodies::new)),
          WireType.of(
              61,
              Answered.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, Answered::object),
                  inline(Answered::id, id(2, 3)),
                  uint64(4, Answered::version),
                  inline(Answered::result, RESULT),
                  Answered::new)),
          WireType.of(
              62,
              Busy.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Busy::object),
                  message(2, Busy::asked, RANK),
                  uint32(3, it -> it.lack().number(), Busy.Lack::ofNumber),
                  optional(4, Busy::holder, RANK),
                  Busy::new)),
          WireType.of(
              63,
              Unattended.class,
              SMALL_BYTES,
              Schema.of(name(1, Unattended::object), Unattended::new)),
          WireType.of(
              79,
              Relayed.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, Relayed::object),
                  message(2, Relayed::rank, RANK),
                  repeated(3, Relayed::operations, OPERATION),
                  Relayed::new)),
          WireType.of(
              84,
              Included.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, Included::object),
                  inline(Included::id, id(2, 3)),
                  message(4, Included::rank, RANK),
                  message(5, Included::state, STATE),
                  bytes(6, Included::result),
                  Included::new)),
          WireType.of(
              85,
              EndTenure.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, EndTenure::object), message(2, EndTenure::rank, RANK), EndTenure::new)),
          WireType.of(
              73,
              Expired.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Expired::object),
                  inline(Expired::id, id(2, 3)),
                  uint64(4, Expired::expiredUpTo),
                  Expired::new)),
          WireType.of(
              64,
              RankKept.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, RankKept::object),
                  message(2, RankKept::rank, RANK),
                  seal(3, RankKept::seal),
                  RankKept::new)),
          WireType.of(
              65,
              EntryKept.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, EntryKept::object), message(2, EntryKept::entry, ENTRY), EntryKept::new)),
          WireType.of(
              66,
              ProposalKept.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, ProposalKept::object),
                  message(2, ProposalKept::proposal, STATEMENT),
                  ProposalKept::new)),
          WireType.of(
              67,
              CommitKept.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, CommitKept::object),
                  message(2, CommitKept::commit, STATEMENT),
                  CommitKept::new)),
          WireType.of(
              68,
              SnapshotKept.class,
              LARGE_BYTES,
              Schema.of(
                  name(1, SnapshotKept::object),
                  message(2, SnapshotKept::snapshot, BASE),
                  SnapshotKept::new)),
          WireType.of(
              69,
              Enrolled.class,
              LARGE_BYTES,
              Schema.of(
                  uint64(1, Enrolled::epoch),
                  bool(2, Enrolled::isComplete),
                  names(3, Enrolled::doubtful),
                  Enrolled::new)),
          WireType.of(
              74,
              EpochKept.class,
              SMALL_BYTES,
              Schema.of(
                  string(1, EpochKept::object),
                  message(2, EpochKept::epoch, EPOCH),
                  EpochKept::new)),
          WireType.of(
              78,
              MakerKept.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, MakerKept::object), string(2, MakerKept::principal), MakerKept::new)),
          WireType.of(
              70,
              Absent.class,
              SMALL_BYTES,
              Schema.of(
                  name(1, Absent::object),
                  message(2, Absent::asked, RANK),
                  uint64(3, Absent::epoch),
                  Absent::new)),
          WireType.of(
              71,
              ListObjects.class,
              SMALL_BYTES,
              Schema.of(
                  fixed64(1, ListObjects::nonce),
                  string(2, ListObjects::prefix),
                  string(3, ListObjects::after),
                  bool(4, ListObjects::ofCommits),
                  ListObjects::new)),
          WireType.of(
              72,
              ObjectList.class,
              ObjectList.MAX_OBJECTS * SMALL_BYTES,
              Schema.of(
                  fixed64(1, ObjectList::nonce),
                  repeated(2, ObjectList::objects, ITEM),
                  bool(3, ObjectList::more),
                  ObjectList::new)),
          WireType.of(
              75,
              AskMemory.class,
              SMALL_BYTES,
              Schema.of(
                  fixed64(1, AskMemory::nonce),
                  epochs(2, AskMemory::lost),
                  string(3, AskMemory::after),
                  AskMemory::new)),
          WireType.of(
              76,
              MemoryPage.class,
              MemoryPage.MAX_NAMES * SMALL_BYTES,
              Schema.of(
                  fixed64(1, MemoryPage::nonce),
                  uint64(2, MemoryPage::epoch),
                  bool(3, MemoryPage::isComplete),
                  uint32(4, MemoryPage::doubtful),
                  epochs(5, MemoryPage::lost),
                  repeated(
                      6,
                      MemoryPage::names,
                      Schema.of(
                          name(1, MemoryPage.Name::object),
                          bool(2, MemoryPage.Name::isDoubtful),
                          MemoryPage.Name::new)),
                  bool(7, MemoryPage::more),
                  MemoryPage::new)),
          WireType.of(
              77,
              CompleteMemory.class,
              LARGE_BYTES,
              Schema.of(
                  fixed64(1, CompleteMemory::nonce),
                  uint64(2, CompleteMemory::epoch),
                  epochs(3, CompleteMemory::lost),
                  names(4, CompleteMemory::names),
                  CompleteMemory::new)));

  public static final WireTypes ALL = WITHOUT_HINTS.and(HintTypes.ALL);

  private OrderingTypes() {}
}
