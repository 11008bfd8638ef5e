package io.testudo.ordering.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.CommitKept;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.MakerKept;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.ProposalKept;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.RankKept;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.SnapshotKept;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Absent;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Accepted.Stage;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.Enrolled;
import io.testudo.ordering.message.Entries;
import io.testudo.ordering.message.Expired;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Restore;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.server.ServedObject.Finished;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Shares;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server machine: stores what clients propose and commit, in the order of their ranks, and
 * keeps operations until they are ordered. It never looks into states and never speaks to other
 * servers.
 */
public final class OrderingServer extends Machine<ClientId> {
  /** As many bytes of pending operations have room; of one principal alone half of them. */
  static final long MAX_PENDING_BYTES = 32 << 20;

  /** For how long a client has the tenure that was heard of last, unless it gives it up. */
  public static final long COURTESY_NANOS = 2_000_000_000L;

  /** To go so far back from a commit, in bytes of what is kept, costs no more than a message. */
  private static final long SHORT_WAY_BYTES = 64 * Entry.ROW_BYTES;

  private final Mode mode;
  private final Enrolment enrolment;
  private final Membership membership = new Membership();
  private final ServedObjects objects;
  private final ServerMemory memory;
  private final Attendance attendance;
  private final Watchers watchers;

  /**
   * What only liveness depends on.
   *
   * @param courtesyNanos for how long a client that was heard of has the tenure
   * @param maxBytes as many have room here, of states and what led to them
   */
  public record Settings(long courtesyNanos, long maxBytes) {
    /** With a gibibyte. */
    public static Settings standard() {
      return new Settings(COURTESY_NANOS, 1L << 30);
    }
  }

  /** Makes the machine of a server that is new if its journal is empty. */
  public OrderingServer(Mode mode) {
    this(mode, Enrolment.FOUNDING, Settings.standard());
  }

  public OrderingServer(Mode mode, Enrolment enrolment, Settings settings) {
    this.mode = mode;
    this.enrolment = enrolment;
    this.objects =
        new ServedObjects(
            CompleteMemory.MAX_OBJECTS,
            CompleteMemory.MAX_TOMBSTONES,
            settings.maxBytes(),
            MAX_PENDING_BYTES);
    this.memory = new ServerMemory(this, membership, objects);
    this.attendance = new Attendance(this, objects, memory, settings.courtesyNanos());
    this.watchers = new Watchers(this, objects, memory);
    var unused = new BodySender(this, objects, memory);
    onMessage(Restore.class, this::onRestore);
    onMessage(Submit.class, this::onSubmit);
    onMessage(Get.class, this::onGet);
    onMessage(Propose.class, this::onPropose);
    onMessage(Commit.class, this::onCommit);
    onMessage(InstallSnapshot.class, this::onInstallSnapshot);
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    recovered.forEach(this::recover);
    objects.recovered();
    membership.doubtful().removeIf(objects::hasAccepted);
    memory.start(enrolment);
  }

  private void recover(StateRecord record) {
    if (record instanceof Enrolled kept) {
      membership.take(kept);
    } else {
      objects.recover(record);
    }
  }

  @Override
  public List<StateRecord> snapshot() {
    List<StateRecord> records = new ArrayList<>();
    if (!membership.isOutside()) {
      records.add(membership.kept());
    }
    objects.snapshotTo(records);
    return records;
  }

  /** Null if there is no room for one more, as is said then, or if it may have been forgotten. */
  private @Nullable ServedObject object(ClientId from, String name) {
    ServedObject object = objects.get(name);
    if (object == null && membership.isNew(name)) {
      object = objects.make(from.principal(), name);
      if (object == null) {
        send(from, new Busy(name, Rank.NONE, Busy.Lack.OBJECTS));
      }
    }
    return object;
  }

  /** An object that takes part in a ballot; null if it does not, and the client was told so. */
  private @Nullable ServedObject object(ClientId from, String name, Rank rank) {
    ServedObject known =
        rank.equals(Rank.NONE) ? objects.asked(name, membership) : object(from, name);
    if (known == null && membership.mayHaveForgotten(name) && !rank.equals(Rank.NONE)) {
      send(from, new Absent(name, rank, membership.epoch()));
    }
    return known;
  }

  private void onRestore(ClientId from, Restore restore) {
    // What was meant for an earlier memory would let us forget what we promised since.
    if (!membership.mayHaveForgotten(restore.object())
        || restore.epoch() != membership.epoch()
        || objects.get(restore.object()) != null) {
      return;
    }
    boolean isTold = membership.isDoubtful(restore.object());
    ServedObject again = objects.restore(from.principal(), restore.object(), isTold);
    if (again != null) {
      memory.noteLost(again.name, restore.others());
      boolean unused = admits(from, again, restore.rank(), restore.rankSeal(), true);
    }
  }

  private void onSubmit(ClientId from, Submit submit) {
    OpId id = submit.operation().id();
    // A session speaks for itself only: results are kept, and counted, by session.
    boolean isOwn = id.session() == OpId.sessionOf(from);
    ServedObject object = isOwn ? object(from, submit.object()) : null;
    if (object == null) {
      return;
    }
    attendance.heard(object, id.session(), from); // Done or not: it was not told, and may go on.
    Sessions.Outcome outcome = object.outcome(id);
    if (outcome == null && object.isExpired(submit.operation())) {
      send(from, new Expired(object.name, id, object.expiredUpTo()));
    } else if (outcome == null
        && object.isTooFarAhead(id, MILLISECONDS.toMicros(now().wallMillis()))) {
      return; // Done and forgotten, it would leave no numbers to others.
    } else if (outcome == null) {
      object.pending.add(submit.operation(), from, now().nanos());
      attendance.waits(object, from);
    } else {
      attendance.answer(object, new Finished(from, id, outcome));
    }
  }

  private void onGet(ClientId from, Get get) {
    ServedObject object = object(from, get.object(), get.rank());
    if (object == null) {
      return;
    }
    boolean isBallot = !get.rank().equals(Rank.NONE);
    if (!isBallot && object.proposed == null && membership.mayHaveForgotten(object.name)) {
      return; // It may have accepted more than it knows, and no rank tells that to readers.
    }
    if (isBallot) {
      attendance.heard(object, OpId.sessionOf(from), from);
    }
    if (isBallot
        && get.makesWayFor(object.rank)
        && attendance.isHeldBeside(object, from)
        && (object.tenure.isOrdering()
            || (object.rank.isBelow(get.rank()) && !object.tenure.putsOff(get.rank())))) {
      send(from, new Busy(object.name, get.rank(), object.rank));
      return;
    }
    // Of those who ask together, the highest rank goes on: so they need no time to settle it.
    if (isBallot && !admits(from, object, get.rank(), get.seal(), !get.courteous())) {
      return;
    }
    List<SubmittedOperation> pending = List.of();
    if (isBallot && memory.allows(from, 0)) {
      pending = object.pending.reportAll();
      boolean unused = memory.allows(from, PendingOperations.bytesOf(pending));
    }
    if (isBallot) {
      memory.noteLost(object.name, get.lost());
    }
    List<Entry> entries =
        get.known().map(known -> entriesAfter(from, object, known)).orElse(List.of());
    Optional<Statement> committed = Optional.ofNullable(object.committed);
    send(
        from,
        new Report(
            object.name,
            get.nonce(),
            Optional.ofNullable(object.proposed).or(() -> committed),
            committed,
            pending,
            entries,
            membership.epoch(),
            objects.lostFor(object)));
  }

  /** What the client lacks, if it is short; to look for it is charged, found or not. */
  private List<Entry> entriesAfter(ClientId from, ServedObject object, StateId known) {
    if (!memory.allows(from, 0)) {
      return List.of(); // What is missing can be fetched when there is an allowance again.
    }
    List<Entry> entries = object.entriesAfter(known);
    long looked = object.bytesToLook(known, object.newestState());
    boolean unused = memory.allows(from, Math.max(looked, Entries.bytesOf(entries)));
    return entries;
  }

  /**
   * Lets a ballot of this rank go on, and from now on none below it; refuses it if one is above.
   *
   * @param orders whether it has got beyond asking
   */
  private boolean admits(
      ClientId from, ServedObject object, Rank rank, Optional<Seal> seal, boolean orders) {
    if (rank.isBelow(object.rank)) {
      send(from, new Superseded(object.name, rank, object.rank, object.rankSeal));
      return false;
    }
    if (object.rank.isBelow(rank)) {
      ClientId holder = attendance.holder(object);
      if (holder != null && !holder.equals(from)) {
        send(holder, new Superseded(object.name, object.rank, rank, seal)); // It need not find out.
      }
      if (object.rank.equals(Rank.NONE) && !object.quota.maker().equals(Shares.NOBODY)) {
        persist(new MakerKept(object.name, object.quota.maker()));
      }
      object.rank = rank;
      object.rankSeal = seal;
      persist(new RankKept(object.name, rank, seal));
    }
    object.tenure.heard(from, rank, orders, now().nanos());
    return true;
  }

  private void onPropose(ClientId from, Propose propose) {
    Statement proposal = propose.proposal();
    ServedObject object = object(from, propose.object(), proposal.rank());
    if (object == null || !admits(from, object, proposal.rank(), propose.rankSeal(), true)) {
      return;
    }
    if (!objects.store(from.principal(), object, propose.entries(), this::persist)) {
      send(from, new Busy(object.name, proposal.rank(), Busy.Lack.BYTES));
    }
    if (!object.history.holds(proposal.state())) {
      send(from, object.missing(proposal));
      return;
    }
    if (!object.takes(proposal)) {
      // One client proposes one state for a rank and version, so this is an overtaken message.
      Statement stored = object.proposed;
      if (stored != null
          && stored.rank().equals(proposal.rank())
          && stored.state().version() == proposal.state().version()) {
        tell(new Forked(object.name, stored.state(), proposal.state()));
      }
      return;
    }
    Statement before = object.proposed;
    if (!proposal.equals(before)) {
      object.proposed = proposal;
      persist(new ProposalKept(object.name, proposal));
    }
    membership.isUpToDate(object.name);
    propose.commit().filter(it -> mayCommit(from, object, it)).ifPresent(it -> commit(object, it));
    accept(from, object, proposal, Stage.PROPOSED);
    if (mode.sealsStatements()) {
      tellSubmitters(from, object, before, proposal);
    }
  }

  private void tellSubmitters(
      ClientId from, ServedObject object, @Nullable Statement before, Statement proposal) {
    boolean goesOn = ServedObject.goesOn(before, proposal);
    if (!goesOn && !memory.allows(from, 0)) {
      return; // Said again and again, a short proposal would have us read a long past each time.
    }
    List<Entry> entries = object.newlyProposed(before, proposal);
    long looked = object.bytesToLook(object.committedState(), proposal.state());
    if (goesOn || memory.allows(from, Math.max(looked, Entries.bytesOf(entries)))) {
      attendance.accepted(object, proposal.rank(), ServedObject.contained(entries));
    }
  }

  private void accept(ClientId to, ServedObject object, Statement what, Stage stage) {
    send(
        to,
        new Accepted(
            object.name,
            what.rank(),
            what.state().version(),
            stage,
            object.pending.reportNews(),
            membership.epoch()));
  }

  private void onCommit(ClientId from, Commit message) {
    ServedObject object = objects.get(message.object());
    Statement commit = message.commit();
    if (object == null) {
      ServedObject asked = objects.asked(message.object(), membership);
      if (asked != null) {
        send(from, asked.missing(commit));
      }
      return;
    }
    // Sealed, a commit proves itself. Else it needs the check, or a late one hides what follows it.
    if (!mode.sealsStatements() && !admits(from, object, commit.rank(), message.rankSeal(), true)) {
      return;
    }
    if (!object.history.holds(commit.state())
        && commit.state().version() > object.committedState().version()) {
      send(from, object.missing(commit));
      return;
    }
    if (mayCommit(from, object, commit)) {
      commit(object, commit);
      accept(from, object, commit, Stage.COMMITTED);
    }
  }

  /** Whether we go the way to a commit, which may be long and lead nowhere. */
  private boolean mayCommit(ClientId from, ServedObject object, Statement commit) {
    long bytes = object.bytesBetweenCommitAnd(commit.state());
    return bytes <= SHORT_WAY_BYTES || memory.allows(from, bytes);
  }

  private void commit(ServedObject object, Statement commit) {
    StateId before = object.committedState();
    if (!object.isNews(commit) || !object.history.holds(commit.state())) {
      return;
    }
    List<Finished> finished = object.commit(commit);
    if (finished == null) {
      tell(new Forked(object.name, before, commit.state()));
      return;
    }
    persist(new CommitKept(object.name, commit));
    committed(object, finished);
  }

  private void committed(ServedObject object, List<Finished> finished) {
    finished.forEach(done -> attendance.answer(object, done));
    objects.settle(object);
    watchers.committed(object);
  }

  private void onInstallSnapshot(ClientId from, InstallSnapshot install) {
    ServedObject object = objects.get(install.object());
    LogSnapshot snapshot = install.snapshot();
    if (object == null || snapshot.state().version() <= object.history.start().version()) {
      return;
    }
    boolean isKnown = object.history.holds(snapshot.state());
    boolean isAhead = snapshot.state().version() > object.committedState().version();
    if ((!isKnown && !isAhead) || !objects.hasRoomFor(object, snapshot)) {
      return; // Of a branch that was not chosen here: nothing may lead us there.
    }
    if (!memory.allows(from, Entry.ROW_BYTES * object.history.entries())) {
      return; // All that is kept is looked through; a later one does as well.
    }
    List<Finished> finished = object.install(snapshot);
    persist(new SnapshotKept(object.name, snapshot));
    committed(object, finished);
  }

  /** What objects take, as of a moment ago; for whoever asks, on any thread. */
  public ObjectUsage usage() {
    return objects.usage();
  }

  /** What is kept here, in bytes; about. */
  public long memoryBytes() {
    return objects.memoryBytes() + watchers.memoryBytes();
  }

  /** Of its memory; 0 if it has none. */
  public long epoch() {
    return membership.epoch();
  }

  /** What was proposed last, for checks. */
  public Optional<Statement> proposed(String name) {
    return Optional.ofNullable(objects.get(name)).map(object -> object.proposed);
  }

  /** What a list shows of the last commit, for checks. */
  public Optional<ObjectList.Item> listed(String name) {
    return Optional.ofNullable(objects.get(name)).map(ServedObject::listedCommit);
  }

  /** What was committed last, for checks. */
  public Optional<Statement> committed(String name) {
    return Optional.ofNullable(objects.get(name)).map(object -> object.committed);
  }

  /** The rank below which all is refused, for checks. */
  public Rank rank(String name) {
    ServedObject object = objects.get(name);
    return object == null ? Rank.NONE : object.rank;
  }
}
