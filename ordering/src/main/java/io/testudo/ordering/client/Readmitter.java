package io.testudo.ordering.client;

import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.client.Errand.Phase;
import io.testudo.ordering.client.ReadmissionProgress.Step;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.message.AskMemory;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Inner;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The client machine of who lets a server in again that lost its memory. A quorum of others takes
 * note of the loss for every object, those then list all names that they know of, and the server is
 * told those: every other object is new to it. Then it is brought up to date with what is not new,
 * one object after the other. Why that is safe: docs/ordering.md. Nothing of it needs to be
 * remembered here, so it can be cut off and begun again at any point.
 */
public final class Readmitter extends Machine<ServerId> {
  private record Tick() implements TimerKey {}

  private record Next() implements TimerKey {}

  /** After as many failures in a row the rest is left to others. */
  private static final int MAX_FAILURES = 3;

  /** What was asked of a server and not answered yet. */
  private record Open(long nonce, Message question) {}

  private final Thresholds thresholds;
  private final OrderTiming timing;
  private final Entropy entropy;
  private final OrderingClient machine;
  private final Inner<ServerId> orderer;
  private final Map<ServerId, Open> open = new HashMap<>();
  private @Nullable Errand errand;

  /**
   * Makes a machine.
   *
   * @param orderer the client machine by which it orders; nobody else may use that
   */
  public Readmitter(
      Thresholds thresholds, OrderTiming timing, Entropy entropy, OrderingClient orderer) {
    this.thresholds = thresholds;
    this.timing = timing;
    this.entropy = entropy;
    this.machine = orderer;
    this.orderer = adopt(orderer, this::tell);
    onCall(ReadmitObjects.class, this::onReadmit);
    onMessage(MemoryPage.class, this::onPage);
    onTimer(Tick.class, this::onTick);
    onTimer(Next.class, this::onNext);
  }

  private void onReadmit(CallId<Readmitted> call, ReadmitObjects readmit) {
    if (errand != null) {
      fail(call, new OverloadedException("readmissions in progress", 1));
      return;
    }
    errand = new Errand(call, readmit);
    begin(errand);
    setTimer(new Tick(), timing.retryNanos());
  }

  private void enter(Errand it, Phase phase) {
    it.phase = phase;
    it.sinceNanos = now().nanos();
    open.clear();
  }

  private void ask(ServerId server, List<MemoryEpoch> lost, String after) {
    long nonce = entropy.nextLong();
    ask(server, nonce, new AskMemory(nonce, lost, after));
  }

  private void ask(ServerId server, long nonce, Message question) {
    open.put(server, new Open(nonce, question));
    send(server, question);
  }

  private void begin(Errand it) {
    enter(it, Phase.ASKING);
    ask(it.server, List.of(), "");
  }

  private void onPage(ServerId from, MemoryPage page) {
    Errand it = errand;
    Open asked = open.get(from);
    if (it == null || asked == null || asked.nonce() != page.nonce()) {
      return;
    }
    open.remove(from);
    switch (it.phase) {
      case ASKING -> onAsked(it, page);
      case NOTING -> onNoted(it, from, page);
      case LISTING -> onListed(it, from, page);
      case CHECKING -> onChecked(it, from, page);
      case COMPLETING -> onCompleted(it, page);
      case LOOKING -> onLooked(it, page);
      case RESTORING -> {}
      case CLOSING -> end(it, page.doubtful());
    }
  }

  private void onAsked(Errand it, MemoryPage page) {
    if (page.isComplete() && page.doubtful() == 0) {
      end(it, 0);
      return;
    }
    it.epoch = page.epoch();
    it.noted.clear();
    it.incomplete = ServerSet.none();
    it.overtaken = ServerSet.none();
    enter(it, Phase.NOTING);
    for (ServerId other : others(it)) {
      ask(other, List.of(it.loss()), "");
    }
  }

  private ServerSet others(Errand it) {
    return ServerSet.firstN(thresholds.servers()).without(it.server);
  }

  private void onNoted(Errand it, ServerId from, MemoryPage page) {
    if (!page.isComplete()) {
      it.incomplete = it.incomplete.with(from); // It may have forgotten names, and losses.
    } else if (page.lost().contains(it.loss())) {
      it.noted.put(from, page.epoch());
    } else {
      it.overtaken = it.overtaken.with(from);
    }
    if (open.isEmpty()) {
      listIfNoted(it);
    }
  }

  /**
   * Only now, when enough have taken note: what a server hears of after it did is told to others
   * with the loss.
   */
  private void listIfNoted(Errand it) {
    if (!isQuorum(it.noted)) {
      if (open.isEmpty()) {
        giveUp(it);
      }
      return;
    }
    tell(new ReadmissionProgress(it.server, Step.NOTED, it.noted.size(), others(it).size()));
    it.listings.clear();
    enter(it, Phase.LISTING);
    it.noted.forEach(
        (server, epoch) -> {
          it.listings.put(server, new NameListing(epoch));
          ask(server, List.of(), "");
        });
  }

  private void onListed(Errand it, ServerId from, MemoryPage page) {
    NameListing listing = it.listings.get(from);
    if (listing == null) {
      return;
    }
    // One that lost its memory meanwhile may have forgotten the note, and what it promised.
    boolean isSame =
        page.isComplete() && page.epoch() == listing.epoch && page.lost().contains(it.loss());
    if (!isSame || !listing.take(page)) {
      it.listings.remove(from);
      if (isSame) {
        tell(new Suspicion(from, "lists names as no correct server does"));
      }
    } else {
      it.lost.noteAll(page.lost());
      if (!listing.isWhole) {
        ask(from, List.of(), listing.last());
      }
    }
    if (open.isEmpty()) {
      completeIfListed(it);
    }
  }

  private void completeIfListed(Errand it) {
    Map<ServerId, NameListing> whole = new TreeMap<>(it.listings);
    whole.values().removeIf(listing -> !listing.isWhole);
    if (!isQuorum(whole)) {
      return; // At the next tick those that are slow are asked again, or all from the beginning.
    }
    NameUnion union = new NameUnion(whole);
    union.leaveOutThoseWhoListTooMany(thresholds);
    if (union.isTooMuch()) {
      var most = union.mostAlone();
      fail(
          it,
          "the servers list more names than have room, %s alone lists %d that no other does"
              .formatted(most.getKey(), most.getValue()),
          "see what is wrong with it, and leave it stopped if enough others are there");
      return;
    }
    it.names = union.names().orElseThrow();
    it.worthRestoring = union.worthRestoring(thresholds.faults());
    tell(new ReadmissionProgress(it.server, Step.LISTED, it.names.size(), union.servers()));
    enter(it, Phase.CHECKING);
    lostBeside(it).forEach(told -> ask(told.server(), List.of(), ""));
    if (open.isEmpty()) {
      complete(it);
    }
  }

  private List<MemoryEpoch> lostBeside(Errand it) {
    return it.lost.all().stream()
        .filter(told -> told.epoch() > MemoryEpoch.FOUNDING && others(it).contains(told.server()))
        .toList();
  }

  /** A liar may tell of losses that never were: what is handed on, nobody ever forgets. */
  private void onChecked(Errand it, ServerId from, MemoryPage page) {
    it.lost.put(from, Math.min(page.epoch(), it.lost.of(from)));
    if (open.isEmpty()) {
      complete(it);
    }
  }

  private void complete(Errand it) {
    enter(it, Phase.COMPLETING);
    long nonce = entropy.nextLong();
    ask(it.server, nonce, new CompleteMemory(nonce, it.epoch, lostBeside(it), it.names));
  }

  private void onCompleted(Errand it, MemoryPage page) {
    if (page.epoch() != it.epoch || !page.isComplete()) {
      begin(it); // It lost its memory once more.
      return;
    }
    tell(new ReadmissionProgress(it.server, Step.COMPLETED, page.doubtful(), page.doubtful()));
    it.own = new NameListing(it.epoch);
    enter(it, Phase.LOOKING);
    ask(it.server, List.of(), "");
  }

  private void onLooked(Errand it, MemoryPage page) {
    if (!it.own.take(page)) {
      begin(it);
    } else if (!it.own.isWhole) {
      ask(it.server, List.of(), it.own.last());
    } else {
      it.toRestore.clear();
      it.own.names.forEach(
          (name, isDoubtful) -> {
            if (isDoubtful && it.worthRestoring.contains(name)) {
              it.toRestore.add(name);
            }
          });
      it.restorable = it.toRestore.size();
      enter(it, Phase.RESTORING);
      setTimer(new Next(), 0);
    }
  }

  private void onNext(Next next) {
    Errand it = errand;
    if (it == null || it.phase != Phase.RESTORING) {
      return;
    }
    String name = it.failures < MAX_FAILURES ? it.toRestore.poll() : null;
    if (name == null) {
      enter(it, Phase.CLOSING);
      ask(it.server, List.of(), "");
      return;
    }
    var unused =
        orderer.call(
            new RestoreObject(name, it.server, it.timeoutNanos),
            done -> restored(it, true),
            reason -> restored(it, false));
  }

  private void restored(Errand it, boolean isDone) {
    it.restored += isDone ? 1 : 0;
    it.failures = isDone ? 0 : it.failures + 1;
    tell(new ReadmissionProgress(it.server, Step.RESTORED, it.restored, it.restorable));
    setTimer(new Next(), 0);
  }

  private void onTick(Tick tick) {
    Errand it = errand;
    if (it == null) {
      return;
    }
    if (it.phase != Phase.RESTORING && now().nanos() - it.sinceNanos >= it.timeoutNanos) {
      giveUp(it);
      return;
    }
    if (it.phase == Phase.NOTING) {
      listIfNoted(it);
    } else if (it.phase == Phase.LISTING && !isQuorum(it.listings)) {
      begin(it);
    } else if (it.phase == Phase.LISTING) {
      completeIfListed(it);
    } else if (it.phase == Phase.CHECKING && now().nanos() - it.sinceNanos >= it.timeoutNanos / 2) {
      complete(it); // Who does not answer may have lost its memory.
    }
    if (errand == it) {
      open.forEach((server, asked) -> send(server, asked.question()));
      setTimer(tick, timing.retryNanos());
    }
  }

  private void giveUp(Errand it) {
    if (it.phase == Phase.NOTING && thresholds.isBlockedBy(it.overtaken)) {
      fail(
          it,
          "%s was let in before when its clock showed a later time".formatted(it.server),
          "set its clock, move its journal of objects away and start it once with --readmit");
    } else if (it.phase == Phase.NOTING || it.phase == Phase.LISTING) {
      fail(
          it,
          "%d of the %d other servers %s, %d are needed%s"
              .formatted(
                  it.phase == Phase.NOTING ? it.noted.size() : whole(it),
                  others(it).size(),
                  it.phase == Phase.NOTING ? "took note of the loss" : "listed their names",
                  thresholds.quorum(),
                  reasons(it)),
          "bring back those that do not answer");
    } else {
      fail(
          it,
          "%s does not answer, or has no memory of objects".formatted(it.server),
          "start it, with --readmit if its disk was lost");
    }
  }

  private boolean isQuorum(Map<ServerId, ?> servers) {
    return thresholds.isQuorum(ServerSet.of(servers.keySet().toArray(new ServerId[0])));
  }

  private static int whole(Errand it) {
    return (int) it.listings.values().stream().filter(listing -> listing.isWhole).count();
  }

  private String reasons(Errand it) {
    String silent =
        open.keySet().stream()
            .sorted()
            .map(server -> server + " does not answer")
            .collect(Collectors.joining("; "));
    StringBuilder all = new StringBuilder(silent);
    for (ServerId server : it.incomplete) {
      all.append(all.isEmpty() ? "" : "; ").append(server).append(" lost its memory, too");
    }
    return all.isEmpty() ? "" : " (" + all + ")";
  }

  private void fail(Errand it, String problem, String remedy) {
    forget();
    fail(it.call, new ReadmissionException(problem, remedy));
  }

  private void end(Errand it, int left) {
    forget();
    complete(it.call, new Readmitted(it.server, it.restored, left));
  }

  private void forget() {
    errand = null;
    open.clear();
    cancelTimer(new Tick());
    cancelTimer(new Next());
  }

  /** What servers made us keep, in bytes; about. */
  public long memoryBytes() {
    long names =
        errand == null
            ? 0
            : errand.listings.values().stream().mapToLong(it -> it.names.size()).sum();
    return machine.memoryBytes() + names * 2 * ObjectLimits.MAX_NAME_BYTES;
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    if (errand != null && errand.call.equals(call)) {
      forget();
    }
  }
}
