package io.testudo.ordering.protocol;

import com.google.protobuf.InvalidProtocolBufferException;
import io.testudo.crypto.Digest;
import io.testudo.ordering.protocol.proto.EntryBody;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.Right;
import io.testudo.quorum.protocol.CallId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of one object: its past, the object at the last version that was chosen, and
 * as it would be if the present proposal were; what is to be done to it; and the present run.
 *
 * @param <S> the state of the object
 */
final class ClientObject<S> {
  /** More operations of others are not remembered. */
  private static final int MAX_FOREIGN = 8_192;

  /** Of so many states at once the bodies are wanted. */
  private static final int MAX_WANTED = 256;

  /** A batch is closed when its operations have so many bytes. */
  private static final int MAX_BATCH_BYTES = 1 << 20;

  final String name;
  private final ObjectModel<S> model;
  private final int vouchers;
  private final int entriesPerBase;
  final History history;
  private Replica<S> chosen;
  private Replica<S> tip;
  private @Nullable Base nextBase;
  private long bytesSinceBase;

  final Map<OpId, OwnOperation> own = new LinkedHashMap<>();
  final List<CallId<ReadResult>> readers = new ArrayList<>();
  private final Map<OpId, Foreign> foreign = new LinkedHashMap<>();
  private final Map<OpId, Map<Operation, ServerSet>> rumours = new HashMap<>();
  private final Set<StateId> wanted = new HashSet<>();
  private long lastSequence;

  @Nullable Run run;

  @Nullable FastRead fastRead;

  /** Those for whom the next fast read will be. */
  final List<CallId<ReadResult>> newReaders = new ArrayList<>();

  /** Those who wait for the next one and want no more than what was published. */
  final List<CallId<ReadResult>> newPeekers = new ArrayList<>();

  /** What some readers want to know instead of the state, by their calls. */
  final Map<Long, OpId> questions = new HashMap<>();

  /** What came of operations whose callers had given up; the oldest are forgotten. */
  final LateResults late = new LateResults();

  /** Those that refuse us a right to the object. */
  final Map<Right, ServerSet> refusals = new EnumMap<>(Right.class);

  /** The last state that was chosen at our proposal. */
  @Nullable Statement lastCommit;

  /** Whether servers were told of it. */
  boolean isPublished = true;

  int failures;
  boolean sleeps;

  /** An operation of another client that may be applied. */
  private record Foreign(Operation operation) {}

  ClientObject(String name, ObjectModel<S> model, int vouchers, int entriesPerBase) {
    this.name = name;
    this.model = model;
    this.vouchers = vouchers;
    this.entriesPerBase = entriesPerBase;
    this.history = new History(name);
    this.chosen = Replica.initial(model, name);
    this.tip = chosen.copy();
  }

  OpId nextId(long session) {
    return new OpId(session, ++lastSequence);
  }

  /** Results up to here have arrived. */
  long floor() {
    return own.isEmpty() ? lastSequence - 1 : own.keySet().iterator().next().sequence() - 1;
  }

  /** The lists of all who read. */
  List<List<CallId<ReadResult>>> allReaders() {
    List<List<CallId<ReadResult>>> all = new ArrayList<>(List.of(readers, newReaders, newPeekers));
    if (fastRead != null) {
      all.add(fastRead.readers);
      all.add(fastRead.peekers);
    }
    if (run != null) {
      all.add(run.readers);
    }
    return all;
  }

  /** What the last chosen version says of an operation. */
  OperationFate fateOf(OpId id) {
    Sessions.Outcome outcome = chosen.sessions().outcome(id);
    return outcome == null ? OperationFate.notSeen(id) : OperationFate.of(id, outcome);
  }

  StateId chosenState() {
    return chosen.at();
  }

  StateId tipState() {
    return tip.at();
  }

  Object chosenValue() {
    return Objects.requireNonNull(chosen.state());
  }

  Sessions chosenSessions() {
    return chosen.sessions();
  }

  boolean hasOwnWork() {
    return !own.isEmpty() || !readers.isEmpty();
  }

  /** Whether the tip contains an operation of ours that the last chosen version lacks. */
  boolean tipConcernsUs() {
    return !readers.isEmpty()
        || own.keySet().stream().anyMatch(id -> tip.sessions().outcome(id) != null);
  }

  /**
   * Hears of an operation of another client.
   *
   * @param proven whether its submitter's seal was checked
   */
  void hear(ServerId from, Operation operation, boolean proven) {
    OpId id = operation.id();
    if (own.containsKey(id) || foreign.containsKey(id) || chosen.sessions().outcome(id) != null) {
      return;
    }
    if (proven) {
      accept(operation);
    } else if (rumours.size() < MAX_FOREIGN || rumours.containsKey(id)) {
      ServerSet sayers =
          rumours
              .computeIfAbsent(id, any -> new HashMap<>())
              .merge(operation, ServerSet.of(from), ServerSet::union);
      if (sayers.size() >= vouchers) {
        rumours.remove(id);
        accept(operation);
      }
    }
  }

  private void accept(Operation operation) {
    if (foreign.size() < MAX_FOREIGN) {
      foreign.put(operation.id(), new Foreign(operation));
    }
  }

  /** Forgets operations of others that are done. */
  private void tidy() {
    foreign.keySet().removeIf(id -> chosen.sessions().outcome(id) != null);
    rumours.keySet().removeIf(id -> chosen.sessions().outcome(id) != null);
  }

  boolean hasForeignWork() {
    return foreign.keySet().stream().anyMatch(id -> chosen.sessions().isNext(id));
  }

  /** The proposal that would have named a base is gone. */
  void forgetBase() {
    nextBase = null;
  }

  /** Lets the tip be this state. False if what leads to it is not here, or makes no sense. */
  boolean moveTip(StateId to) {
    if (tip.at().equals(to)) {
      return true;
    }
    Replica<S> from = tip;
    Optional<List<Entry>> path = history.path(tip.at(), to);
    if (path.isEmpty()) {
      from = chosen.copy();
      path = history.path(chosen.at(), to);
    }
    if (path.isEmpty() && history.base().isPresent()) {
      Optional<Replica<S>> base = Replica.of(model, history.base().get());
      if (base.isEmpty()) {
        return false;
      }
      from = base.get();
      path = history.path(from.at(), to);
    }
    if (path.isEmpty()) {
      return false;
    }
    try {
      for (Entry entry : path.get()) {
        from.replay(entry);
      }
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
    tip = from;
    return true;
  }

  /** Applies to the tip what is to be done; nothing if there is nothing. */
  Optional<Entry> extendTip() {
    List<Operation> batch = new ArrayList<>();
    own.values().forEach(mine -> batch.add(mine.operation));
    foreign.values().stream()
        .map(Foreign::operation)
        .sorted(
            Comparator.comparingLong((Operation it) -> it.id().session())
                .thenComparingLong(it -> it.id().sequence()))
        .forEach(batch::add);
    Optional<Digest> baseDigest = baseDue();
    Optional<Entry> entry = tip.extend(batch, MAX_BATCH_BYTES, baseDigest);
    entry.ifPresent(
        made -> {
          history.add(made);
          bytesSinceBase += made.body().size();
        });
    if (entry.isEmpty()) {
      nextBase = null;
    }
    return entry;
  }

  /** Prepares a base of the tip, if the past has grown long; only of what was chosen. */
  private Optional<Digest> baseDue() {
    long entries = tip.at().version() - history.start().version();
    int lastBytes = history.base().map(base -> base.body().size()).orElse(0);
    boolean isLong = entries >= entriesPerBase || bytesSinceBase > (1 << 20) + 2L * lastBytes;
    if (!isLong || lastCommit == null || !lastCommit.state().equals(tip.at())) {
      nextBase = null;
      return Optional.empty();
    }
    Base base = new Base(lastCommit, tip.encode());
    nextBase = base;
    return Optional.of(base.digest());
  }

  /** Takes note that the tip was chosen. */
  void tipWasChosen() {
    if (!settle(tip.at())) {
      chosen = tip.copy();
      tidy();
    }
  }

  /** Takes note that a state was chosen, by whomever. False if what leads to it is not here. */
  boolean settle(StateId state) {
    if (state.version() <= chosen.at().version()) {
      return true;
    }
    Optional<List<Entry>> path = history.path(chosen.at(), state);
    Replica<S> from = chosen;
    if (path.isEmpty() && history.base().isPresent()) {
      Optional<Replica<S>> base = Replica.of(model, history.base().get());
      path = base.isEmpty() ? path : history.path(base.get().at(), state);
      from = base.orElse(chosen);
    }
    if (path.isEmpty()) {
      return false;
    }
    try {
      for (Entry entry : path.get()) {
        from.replay(entry);
      }
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
    chosen = from;
    tidy();
    return true;
  }

  /** A base that servers can take now, because the entry that names it was chosen. */
  Optional<Base> takeBase() {
    Base due = nextBase;
    nextBase = null;
    if (due != null && history.holds(due.state())) {
      history.rebase(due);
      bytesSinceBase = 0;
      return Optional.of(due);
    }
    return Optional.empty();
  }

  /**
   * Takes what a server sent. Entries prove themselves. A base is proven by the entry after it; one
   * that is not is left alone, for a correct server may lack that entry.
   *
   * @return false if the server sent what no correct server would
   */
  boolean learn(Bodies bodies) {
    if (!wanted.contains(bodies.wanted()) || history.holds(bodies.wanted())) {
      return true; // Not asked for, or not any more. A liar can prove whatever it makes up itself.
    }
    if (bodies.base().isPresent()) {
      Base base = bodies.base().get();
      if (!isChain(base.state(), bodies)) {
        return false;
      }
      boolean isAhead = base.state().version() > chosen.at().version();
      boolean isProven =
          !bodies.entries().isEmpty() && base.digest().equals(namedBase(bodies.entries().get(0)));
      if (isAhead && isProven && !history.holds(base.state())) {
        history.restart(base);
      }
    }
    bodies.entries().forEach(history::add);
    return true;
  }

  /** Has to come before a state is fetched: only what is wanted is learnt. */
  Fetch fetch(StateId state) {
    if (wanted.size() >= MAX_WANTED) {
      wanted.clear();
    }
    wanted.add(state);
    return new Fetch(name, chosen.at(), state);
  }

  /** Whether the entries lead from a state to the one that was wanted. */
  private static boolean isChain(StateId from, Bodies bodies) {
    StateId at = from;
    for (Entry entry : bodies.entries()) {
      if (entry.version() != at.version() + 1 || !entry.parent().equals(at.link())) {
        return false;
      }
      at = entry.state();
    }
    return at.equals(bodies.wanted());
  }

  private static @Nullable Digest namedBase(Entry entry) {
    try {
      byte[] digest = EntryBody.parseFrom(entry.body()).getBaseDigest().toByteArray();
      return digest.length == Digest.LENGTH ? Digest.fromBytes(digest) : null;
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }
}
