package io.testudo.ordering.server;

import io.testudo.ordering.log.CommitKept;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryKept;
import io.testudo.ordering.log.EpochKept;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.MakerKept;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.MemoryEpochs;
import io.testudo.ordering.log.ProposalKept;
import io.testudo.ordering.log.RankKept;
import io.testudo.ordering.log.SnapshotKept;
import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.MemoryPage;
import io.testudo.ordering.message.ObjectList;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Shares;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All that one server keeps: its objects, by name, and what one principal may have of them. */
final class ServedObjects {
  /** What is known of the memories of other servers, for every object. */
  private final MemoryEpochs epochs = new MemoryEpochs();

  private final NavigableMap<String, ServedObject> objects = new TreeMap<>();
  private final int maxNames;
  private final Shares made;
  private final Shares tombstones;
  private final Shares keptBytes;
  private final Shares pendingBytes;
  private long refused;

  /** Begins with none. */
  ServedObjects(int maxObjects, int maxTombstones, long maxBytes, long maxPendingBytes) {
    this.maxNames = maxObjects + maxTombstones;
    this.made = new Shares(maxObjects);
    this.tombstones = new Shares(maxTombstones);
    this.keptBytes = new Shares(maxBytes);
    this.pendingBytes = new Shares(maxPendingBytes);
  }

  @Nullable ServedObject get(String name) {
    return objects.get(name);
  }

  /** One that is only asked for: nothing is kept of it if it is new. */
  @Nullable ServedObject asked(String name, Membership membership) {
    ServedObject known = objects.get(name);
    return known != null || !membership.isNew(name) ? known : blank(name);
  }

  /** A new object; null if the principal has its share of them. */
  @Nullable ServedObject make(String principal, String name) {
    ServedObject fresh = ofMaker(principal, name);
    if (!made.hasRoomFor(principal, 1) || !fresh.quota.take(0)) {
      refused++;
      return null;
    }
    made.charge(principal, 1);
    objects.put(name, fresh);
    return fresh;
  }

  private ServedObject ofMaker(String principal, String name) {
    return new ServedObject(name, pendingBytes, new Quota(keptBytes, principal));
  }

  /** One as if it were new, of which nothing is kept. */
  ServedObject blank(String name) {
    return ofMaker(Shares.NOBODY, name);
  }

  /** One that was there before, in this memory or in an earlier one. */
  ServedObject getOrRestore(String name) {
    return objects.computeIfAbsent(
        name,
        any -> {
          made.charge(Shares.NOBODY, 1);
          ServedObject again = blank(name);
          again.quota.settle(0);
          return again;
        });
  }

  /**
   * One that a client knows and we do not; null if there is no room for it. If an administrator has
   * told of it, it is nobody's share: who brings a server up to date made few of those. Else who
   * restores it may have made it up.
   */
  @Nullable ServedObject restore(String principal, String name, boolean isTold) {
    if (!isTold) {
      return make(principal, name);
    }
    return objects.size() >= maxNames ? null : getOrRestore(name);
  }

  /** Whether something was proposed here, in this memory. */
  boolean hasAccepted(String name) {
    ServedObject known = objects.get(name);
    return known != null && known.proposed != null;
  }

  /** Those of which there is something, by name. */
  ObjectList list(ListObjects question) {
    String prefix = question.prefix();
    String after = question.after();
    String first = after.compareTo(prefix) < 0 ? prefix : after;
    return ObjectList.page(
        question.nonce(),
        objects.tailMap(first, true).values().stream()
            .takeWhile(object -> object.name.startsWith(prefix))
            .filter(object -> question.covers(object.name))
            .map(it -> question.ofCommits() ? it.listedCommit() : it.listedNewest())
            .filter(it -> it.version() > 0 && (question.ofCommits() || !it.isAbsent())));
  }

  /** The names behind one, of all that is kept and of what may have been forgotten. */
  MemoryPage page(long nonce, Membership membership, String after) {
    NavigableMap<String, Boolean> names = new TreeMap<>();
    objects.tailMap(after, false).keySet().stream()
        .limit(MemoryPage.MAX_NAMES + 1L)
        .forEach(name -> names.put(name, membership.mayHaveForgotten(name)));
    membership.doubtful().tailSet(after, false).stream()
        .limit(MemoryPage.MAX_NAMES + 1L)
        .forEach(name -> names.put(name, true));
    return new MemoryPage(
        nonce,
        membership.epoch(),
        membership.isComplete(),
        membership.doubtful().size(),
        epochs.all(),
        names.entrySet().stream()
            .limit(MemoryPage.MAX_NAMES)
            .map(name -> new MemoryPage.Name(name.getKey(), name.getValue()))
            .toList(),
        names.size() > MemoryPage.MAX_NAMES);
  }

  /** Takes note that memories of others began anew, for one object or for all; what is news. */
  List<StateRecord> noteLost(String object, List<MemoryEpoch> lost, Moment now) {
    MemoryEpochs known = epochsOf(object);
    List<StateRecord> news = new ArrayList<>();
    for (MemoryEpoch one : lost) {
      if (one.isPlausible(now) && known.note(one)) {
        news.add(new EpochKept(object, one));
      }
    }
    return news;
  }

  /** Where the epochs of other servers are kept, for one object or for all. */
  private MemoryEpochs epochsOf(String object) {
    return object.isEmpty() ? epochs : getOrRestore(object).epochs;
  }

  /** Which memories of other servers began anew, as far as it concerns this object. */
  List<MemoryEpoch> lostFor(ServedObject object) {
    if (object.epochs.isEmpty()) {
      return epochs.all();
    }
    MemoryEpochs all = new MemoryEpochs();
    all.noteAll(epochs.all());
    all.noteAll(object.epochs.all());
    return all.all();
  }

  private void recoverMaker(MakerKept kept) {
    Quota quota = getOrRestore(kept.object()).quota;
    made.giveBack(quota.maker(), 1);
    made.charge(kept.principal(), 1);
    quota.passTo(kept.principal());
  }

  /**
   * Stores entries that lead on from what is here; tells of those that are news. An object that was
   * deleted is made anew by them, and is then that principal's.
   *
   * @return whether there was room for all of them
   */
  boolean store(
      String principal, ServedObject object, List<Entry> entries, Consumer<StateRecord> news) {
    long refusedBefore = refused;
    for (Entry entry : entries) {
      if (object.lacks(entry)) {
        if (object.isTombstone && revive(principal, object)) {
          news.accept(new MakerKept(object.name, principal));
        }
        if (!object.isTombstone && object.add(entry)) {
          news.accept(new EntryKept(object.name, entry));
        } else {
          refused++;
        }
      }
    }
    return refused == refusedBefore;
  }

  private boolean revive(String principal, ServedObject object) {
    String maker = object.quota.maker();
    if (!made.hasRoomFor(principal, 1) || !object.quota.revive(principal)) {
      return false;
    }
    tombstones.giveBack(maker, 1);
    made.charge(principal, 1);
    object.isTombstone = false;
    return true;
  }

  /** Something was committed, or its past is shorter now: a deleted object gives back its room. */
  void settle(ServedObject object) {
    String maker = object.quota.maker();
    if (!object.isTombstone && object.isBuried() && tombstones.take(maker, 1)) {
      made.giveBack(maker, 1);
      object.quota.bury(object.keptBytes());
      object.isTombstone = true;
    }
  }

  /** Whether a state may take the place of what led to it. */
  boolean hasRoomFor(ServedObject object, LogSnapshot snapshot) {
    boolean hasRoom = object.quota.hasRoomFor(snapshot.body().size());
    refused += hasRoom ? 0 : 1;
    return hasRoom;
  }

  ObjectUsage usage() {
    return new ObjectUsage(
        (int) made.all(), (int) tombstones.all(), keptBytes.all(), keptBytes.capacity(), refused);
  }

  /** Takes up what was kept of objects. */
  void recover(StateRecord record) {
    if (record instanceof MakerKept kept) {
      recoverMaker(kept);
    } else if (record instanceof EpochKept kept) {
      epochsOf(kept.object()).noteAll(List.of(kept.epoch()));
    } else if (record instanceof RankKept kept) {
      ServedObject object = getOrRestore(kept.object());
      object.rank = kept.rank();
      object.rankSeal = kept.seal();
    } else if (record instanceof EntryKept kept) {
      getOrRestore(kept.object()).history.add(kept.entry());
    } else if (record instanceof ProposalKept kept) {
      getOrRestore(kept.object()).proposed = kept.proposal();
    } else if (record instanceof CommitKept kept) {
      getOrRestore(kept.object()).commit(kept.commit());
    } else if (record instanceof SnapshotKept kept) {
      getOrRestore(kept.object()).install(kept.snapshot());
    }
  }

  /** Everything was taken up. */
  void recovered() {
    for (ServedObject object : objects.values()) {
      object.recovered();
      settle(object);
    }
  }

  void snapshotTo(List<StateRecord> records) {
    epochs.all().forEach(known -> records.add(new EpochKept("", known)));
    objects.values().forEach(object -> object.snapshotTo(records));
  }

  long memoryBytes() {
    return objects.values().stream().mapToLong(ServedObject::memoryBytes).sum();
  }
}
