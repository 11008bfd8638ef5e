package io.testudo.ordering.message;

import static io.testudo.quorum.wire.Field.bytes;
import static io.testudo.quorum.wire.Field.fixed64;
import static io.testudo.quorum.wire.Field.repeated;
import static io.testudo.quorum.wire.Field.uint64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableSortedSet;
import io.testudo.crypto.Digest;
import io.testudo.crypto.MalformedSealException;
import io.testudo.crypto.Seal;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.log.CommitKept;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryKept;
import io.testudo.ordering.log.EpochKept;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.ProposalKept;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.RankKept;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.SnapshotBody;
import io.testudo.ordering.log.SnapshotKept;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is out of its range is malformed where it is decoded; all that is not has room. */
class RangesTest {
  private static final FrameCodec FRAMES =
      new FrameCodec(OrderingTypes.ALL, WireLimits.AUTHENTICATED);
  private static final StateCodec RECORDS = new StateCodec(OrderingTypes.ALL);
  private static final String LONGEST = "\u00e4".repeat(ObjectLimits.MAX_NAME_BYTES / 2);
  private static final Rank RANK = new Rank(RankClock.MAX_TIME, -1);
  private static final Optional<Seal> SEAL = Optional.of(longestSeal());
  private static final StateId STATE = new StateId(StateId.MAX_VERSION, Digest.of(new byte[] {1}));
  private static final Statement STATEMENT = new Statement(RANK, STATE, SEAL);
  private static final OpId ID = new OpId(-1, OpId.MAX_SEQUENCE);
  private static final SubmittedOperation OPERATION =
      new SubmittedOperation(
          ID, OpId.MAX_SEQUENCE - 1, zeros(SubmittedOperation.MAX_BODY_BYTES), SEAL);
  private static final LogSnapshot BASE =
      new LogSnapshot(STATEMENT, snapshot(LogSnapshot.MAX_BODY_BYTES));

  private static final List<MemoryEpoch> EPOCHS =
      IntStream.range(0, ServerId.MAX_SERVERS)
          .mapToObj(server -> new MemoryEpoch(new ServerId(server), Long.MAX_VALUE))
          .toList();

  private static Seal longestSeal() {
    byte[] bytes = new byte[Seal.MAX_ENCODED_LENGTH];
    bytes[0] = 2;
    try {
      return Seal.decode(bytes);
    } catch (MalformedSealException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What an entry says of an operation, whether there can be such a one or not. */
  private record AnyDone(long session, long sequence, long floor, Bytes effect) {}

  private record AnyEntry(List<AnyDone> done) {}

  private static final Schema<AnyEntry> ANY_ENTRY =
      Schema.of(
          repeated(
              1,
              AnyEntry::done,
              Schema.of(
                  fixed64(1, AnyDone::session),
                  uint64(2, AnyDone::sequence),
                  uint64(3, AnyDone::floor),
                  bytes(5, AnyDone::effect),
                  AnyDone::new)),
          AnyEntry::new);

  /** What a snapshot says of a session, whether there can be such a one or not. */
  private record AnyRow(long floor, long executed, long first) {}

  private record AnyBase(List<AnyRow> rows, long expiredUpTo) {}

  private static final Schema<AnyBase> ANY_BASE =
      Schema.of(
          repeated(
              1,
              AnyBase::rows,
              Schema.of(
                  uint64(2, AnyRow::floor),
                  uint64(3, AnyRow::executed),
                  uint64(5, AnyRow::first),
                  AnyRow::new)),
          uint64(3, AnyBase::expiredUpTo),
          AnyBase::new);

  private static Bytes zeros(int bytes) {
    return Bytes.copyOf(new byte[bytes]);
  }

  private static Bytes snapshot(int bytes) {
    Bytes body = SnapshotBody.of(zeros(bytes - 5)).toBytes();
    assertThat(body.size()).isEqualTo(bytes);
    return body;
  }

  private static Entry entry(long sequence, long floor, Bytes effect) {
    AnyDone done = new AnyDone(1, sequence, floor, effect);
    return new Entry(1, STATE.link(), ANY_ENTRY.toBytes(new AnyEntry(List.of(done))));
  }

  private static Entry longestEntry() {
    int room = Entry.MAX_BODY_BYTES - 9 - 2 - 5 - 5;
    Entry entry = entry(1, 0, zeros(room));
    assertThat(entry.body().size()).isBetween(Entry.MAX_BODY_BYTES - 8, Entry.MAX_BODY_BYTES);
    return entry;
  }

  static Stream<Message> longestMessages() {
    Entry entry = longestEntry();
    List<Entry> many = Collections.nCopies(Propose.MAX_ENTRIES, entry(1, 0, Bytes.EMPTY));
    List<SubmittedOperation> pending = List.of(OPERATION);
    return Stream.of(
        new Submit(LONGEST, OPERATION),
        new Get(LONGEST, -1, RANK, SEAL, Optional.of(STATE), true, List.of(), Optional.of(RANK)),
        new Propose(LONGEST, STATEMENT, SEAL, List.of(entry), Optional.of(STATEMENT)),
        new Propose(LONGEST, STATEMENT, SEAL, many, Optional.of(STATEMENT)),
        new Commit(LONGEST, STATEMENT, SEAL),
        new Fetch(LONGEST, STATE, STATE),
        new InstallSnapshot(LONGEST, BASE),
        new Restore(LONGEST, RANK, SEAL, Long.MAX_VALUE, List.of()),
        new Report(LONGEST, -1, Optional.of(STATEMENT), Optional.of(STATEMENT), pending, many),
        new Accepted(LONGEST, RANK, STATE.version(), Accepted.Stage.COMMITTED, pending),
        new Superseded(LONGEST, RANK, RANK, SEAL),
        new Missing(LONGEST, RANK, STATE, STATE),
        new Answered(LONGEST, ID, STATE.version(), Optional.of(zeros(Entry.MAX_BODY_BYTES))),
        new Busy(LONGEST, RANK, Busy.Lack.BYTES, Optional.of(RANK)),
        new EndTenure(LONGEST, RANK),
        new Relayed(LONGEST, RANK, pending),
        new Included(LONGEST, ID, RANK, STATE, zeros(Entry.MAX_BODY_BYTES)),
        new Absent(LONGEST, RANK, Long.MAX_VALUE),
        new Unattended(LONGEST),
        new WatchObject(LONGEST, Long.MAX_VALUE),
        new Changed(LONGEST, Long.MAX_VALUE),
        new WatchPrefix(LONGEST, Long.MAX_VALUE),
        new PrefixChanges(
            LONGEST,
            Long.MAX_VALUE,
            true,
            Collections.nCopies(ObjectList.MAX_OBJECTS, LONGEST_ITEM)),
        new Expired(LONGEST, ID, OpId.MAX_SEQUENCE),
        new ListObjects(-1, LONGEST, LONGEST, true),
        new ObjectList(-1, Collections.nCopies(ObjectList.MAX_OBJECTS, LONGEST_ITEM), true),
        new AskMemory(-1, EPOCHS, LONGEST),
        new MemoryPage(
            -1,
            Long.MAX_VALUE,
            true,
            Integer.MAX_VALUE,
            EPOCHS,
            Collections.nCopies(MemoryPage.MAX_NAMES, new MemoryPage.Name(LONGEST, true)),
            true),
        new CompleteMemory(-1, Long.MAX_VALUE, EPOCHS, manyNames()));
  }

  /** As many as have room, found by halving: to ask anew for each one takes a minute. */
  private static ImmutableSortedSet<String> manyNames() {
    List<String> names =
        IntStream.rangeClosed(0, CompleteMemory.MAX_NAMES)
            .mapToObj(i -> "%s%05d".formatted(LONGEST.substring(5), i))
            .toList();
    int room = 0;
    int tooMany = names.size();
    while (tooMany - room > 1) {
      int middle = (room + tooMany) / 2;
      if (CompleteMemory.hasRoom(names.subList(0, middle))) {
        room = middle;
      } else {
        tooMany = middle;
      }
    }
    return ImmutableSortedSet.copyOf(names.subList(0, room));
  }

  private static final ObjectList.Item LONGEST_ITEM =
      new ObjectList.Item(LONGEST, StateId.MAX_VERSION, Integer.MAX_VALUE, Long.MAX_VALUE, true);

  private static Message roundTrip(Message message) throws WireException {
    return FRAMES
        .decode(FRAMES.encode(List.of(new Envelope(-1, message))))
        .envelopes()
        .get(0)
        .message();
  }

  @ParameterizedTest
  @MethodSource("longestMessages")
  void theLongestLegalMessageHasRoom(Message message) throws WireException {
    assertThat(roundTrip(message)).isEqualTo(message);
  }

  @Test
  void whateverALegalMessageMakesAServerKeepHasRoomInItsRecord() throws WireException {
    List<StateRecord> kept =
        List.of(
            new RankKept(LONGEST, RANK, SEAL),
            new EntryKept(LONGEST, longestEntry()),
            new ProposalKept(LONGEST, STATEMENT),
            new CommitKept(LONGEST, STATEMENT),
            new SnapshotKept(LONGEST, BASE),
            new Enrolled(Long.MAX_VALUE, true, manyNames()),
            new EpochKept("", EPOCHS.get(0)));
    List<StateRecord> read = new ArrayList<>();
    for (StateRecord record : kept) {
      read.add(RECORDS.decode(RECORDS.encode(record)));
    }
    assertThat(read).isEqualTo(kept);
  }

  private static void assertMalformed(Message message) {
    assertThatExceptionOfType(WireException.class)
        .isThrownBy(() -> roundTrip(message))
        .satisfies(e -> assertThat(e.fault()).isEqualTo(WireException.Fault.MALFORMED));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 250, 1_000})
  void noMessageNamesAnObjectThatCannotBe(int more) {
    String name = more == 0 ? "" : LONGEST + "x".repeat(more);
    Statement statement = new Statement(RANK, STATE, Optional.empty());
    assertMalformed(new Propose(name, statement, SEAL, List.of(), Optional.empty()));
    assertMalformed(new Get(name, 1, Rank.NONE, Optional.empty(), Optional.empty(), false));
    assertMalformed(new Submit(name, new SubmittedOperation(ID, 1, Bytes.EMPTY, SEAL)));
    assertMalformed(new Commit(name, statement, SEAL));
    assertMalformed(new Unattended(name));
    assertMalformed(new WatchObject(name, 1));
    assertMalformed(new Changed(name, 1));
    assertMalformed(new EndTenure(name, RANK));
    assertMalformed(new Relayed(name, RANK, List.of()));
    assertMalformed(new Included(name, ID, RANK, STATE, Bytes.EMPTY));
  }

  private static void assertNoEntry(long sequence, long floor) {
    List<Entry> entries = List.of(entry(sequence, floor, Bytes.EMPTY));
    assertMalformed(new Propose("it", STATEMENT, SEAL, entries, Optional.empty()));
    assertMalformed(new Report("it", 1, Optional.empty(), Optional.empty(), List.of(), entries));
    assertThatExceptionOfType(WireException.class)
        .isThrownBy(() -> RECORDS.decode(RECORDS.encode(new EntryKept("it", entries.get(0)))));
  }

  @Test
  void noEntryContainsWhatNoOperationCanBe() {
    assertNoEntry(0, 0);
    assertNoEntry(-1, 0);
    assertNoEntry(OpId.MAX_SEQUENCE + 1, 0);
    assertNoEntry(5, 5);
    assertNoEntry(5, -1);
    assertMalformed(
        new Propose(
            "it",
            STATEMENT,
            SEAL,
            List.of(new Entry(1, STATE.link(), Bytes.utf8("no entry"))),
            Optional.empty()));
  }

  private static void assertNoSnapshot(long expiredUpTo, AnyRow... rows) {
    Bytes body = ANY_BASE.toBytes(new AnyBase(List.of(rows), expiredUpTo));
    assertMalformed(new InstallSnapshot("it", new LogSnapshot(STATEMENT, body)));
  }

  @Test
  void noSnapshotContainsSessionsThatCannotBe() {
    assertNoSnapshot(-1);
    assertNoSnapshot(OpId.MAX_SEQUENCE + 1);
    assertNoSnapshot(0, new AnyRow(1, 0, 1));
    assertNoSnapshot(0, new AnyRow(1, -2, 1));
    assertNoSnapshot(0, new AnyRow(1, 2, 0));
    assertNoSnapshot(0, new AnyRow(-1, 2, 1));
    AnyRow[] many = new AnyRow[Sessions.MAX_SESSIONS + 1];
    Arrays.fill(many, new AnyRow(1, 2, 1));
    assertNoSnapshot(0, many);
  }
}
