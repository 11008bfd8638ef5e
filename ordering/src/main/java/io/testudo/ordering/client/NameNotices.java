package io.testudo.ordering.client;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.ListObjects;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.PrefixChanges;
import io.testudo.ordering.message.WatchPrefix;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of the client machine that has servers tell which objects under a prefix come, change
 * and go. A server is asked again a moment after it has spoken, so that many changes are told
 * together and a liar cannot keep us busy; lists make good what was lost.
 */
final class NameNotices extends Part<ServerId> {
  /** More prefixes are not watched by one client. */
  static final int MAX_WATCHES = 64;

  /** A server that has told of changes is asked for more after this. */
  static final long PAUSE_NANOS = 20_000_000L;

  /** A list has no more pages than this, whatever a server says. */
  static final int MAX_PAGES = CompleteMemory.MAX_NAMES / ObjectList.MAX_OBJECTS;

  /** A call has waited for long enough. */
  private record NamesOver(long watch, long call) implements TimerKey {}

  /** Time to ask a server for more. */
  private record AskAgain(long watch, ServerId server) implements TimerKey {}

  /** Time for a list. */
  private record LookAround(long watch) implements TimerKey {}

  private final ClientCore core;
  private final Map<Long, NameWatch> watches = new HashMap<>();

  NameNotices(ClientCore core) {
    super(core);
    this.core = core;
    onCall(AwaitNames.class, this::onAwait);
    onCall(EndNames.class, this::onEnd);
    onMessage(PrefixChanges.class, this::onChanges);
    onMessage(ObjectList.class, this::onList);
    onTimer(NamesOver.class, this::onOver);
    onTimer(AskAgain.class, this::onAskAgain);
    onTimer(
        LookAround.class,
        due -> {
          NameWatch watch = watches.get(due.watch());
          if (watch != null) {
            look(watch);
          }
        });
  }

  private void onAwait(CallId<ImmutableList<ObjectChange>> call, AwaitNames await) {
    NameWatch watch = watches.get(await.watch());
    if (watch == null) {
      if (watches.size() >= MAX_WATCHES) {
        fail(call, new OverloadedException("prefixes watched by this client", MAX_WATCHES));
        return;
      }
      watch = new NameWatch(await, core.thresholds.vouchers());
      watches.put(await.watch(), watch);
      look(watch);
    }
    if (watch.waiting != null) {
      complete(watch.waiting, ImmutableList.of()); // One call at a time has what is new.
    }
    watch.waiting = call;
    setTimer(new NamesOver(watch.number, call.number()), await.timeoutNanos());
    deliver(watch);
  }

  private void deliver(NameWatch watch) {
    CallId<ImmutableList<ObjectChange>> call = watch.waiting;
    if (call != null && watch.hasNews()) {
      watch.waiting = null;
      cancelTimer(new NamesOver(watch.number, call.number()));
      complete(call, watch.takeNews());
    }
  }

  private void onOver(NamesOver over) {
    NameWatch watch = watches.get(over.watch());
    if (watch != null && watch.waiting != null && watch.waiting.number() == over.call()) {
      CallId<ImmutableList<ObjectChange>> call = watch.waiting;
      watch.waiting = null;
      complete(call, ImmutableList.of());
    }
  }

  /**
   * Asks everybody for a list, and to tell of what changes from now on. A list that is not at its
   * end goes on with the page that did not come: begun anew, a long one would never end.
   */
  private void look(NameWatch watch) {
    watch.gaps = ServerSet.none();
    for (ServerId server : core.everyone) {
      NameWatch.Listing open = watch.listing.get(server);
      if (open == null) {
        askForPage(watch, server, "", 0);
      } else {
        askForPage(watch, server, open.after(), open.page());
      }
      ask(watch, server);
    }
    setTimer(new LookAround(watch.number), watch.lookNanos);
  }

  private void askForPage(NameWatch watch, ServerId server, String after, int page) {
    long nonce = core.entropy.nextLong();
    watch.listing.put(server, new NameWatch.Listing(nonce, after, page));
    send(server, new ListObjects(nonce, watch.prefix, after, true));
  }

  private void ask(NameWatch watch, ServerId server) {
    watch.asked = watch.asked.with(server);
    // Of those who watch the same, what was told last counts for all: it knows one of them.
    long after =
        watches.values().stream()
            .filter(other -> other.prefix.equals(watch.prefix))
            .mapToLong(other -> other.upTo(server))
            .min()
            .orElse(0);
    send(server, new WatchPrefix(watch.prefix, after));
  }

  private void onAskAgain(AskAgain due) {
    NameWatch watch = watches.get(due.watch());
    if (watch != null) {
      ask(watch, due.server());
    }
  }

  private void onList(ServerId from, ObjectList list) {
    for (NameWatch watch : watches.values()) {
      NameWatch.Listing listing = watch.listing.get(from);
      if (listing == null || listing.nonce() != list.nonce()) {
        continue;
      }
      watch.listing.remove(from);
      watch.served = watch.served.with(from);
      list.objects().forEach(item -> watch.hear(from, item));
      if (list.more() && !list.objects().isEmpty() && listing.page() < MAX_PAGES) {
        String last = list.objects().get(list.objects().size() - 1).object();
        askForPage(watch, from, last, listing.page() + 1);
      }
      deliver(watch);
      return;
    }
  }

  private void onChanges(ServerId from, PrefixChanges changes) {
    for (NameWatch watch : List.copyOf(watches.values())) {
      if (!watch.prefix.equals(changes.prefix()) || !watch.asked.contains(from)) {
        continue;
      }
      watch.asked = watch.asked.without(from);
      watch.served = watch.served.with(from);
      watch.upTo.put(from, changes.upTo());
      changes.objects().forEach(item -> watch.hear(from, item));
      setTimer(new AskAgain(watch.number, from), PAUSE_NANOS);
      deliver(watch);
      if (changes.hasGap()) {
        watch.gaps = watch.gaps.with(from);
        if (watch.gaps.size() > core.thresholds.faults() && watch.listing.isEmpty()) {
          look(watch);
        }
      }
    }
  }

  /**
   * A server does not let us read names that start so. It ends who watches them if more servers say
   * so than can lie, and no more than can have ever answered: else rights or keys are being
   * changed, and it goes on when that is done.
   */
  void refused(ServerId from, String prefix) {
    for (NameWatch watch : List.copyOf(watches.values())) {
      if (!watch.prefix.equals(prefix)) {
        continue;
      }
      watch.refusing = watch.refusing.with(from);
      int faults = core.thresholds.faults();
      CallId<ImmutableList<ObjectChange>> call = watch.waiting;
      if (watch.refusing.size() > faults && watch.served.size() <= faults && call != null) {
        forget(watch);
        fail(call, new NotAllowedException(prefix, Right.READ, Outcome.DID_NOT_HAPPEN));
      }
    }
  }

  private void onEnd(CallId<Boolean> call, EndNames end) {
    NameWatch watch = watches.get(end.watch());
    if (watch != null) {
      forget(watch);
      if (watch.waiting != null) {
        complete(watch.waiting, ImmutableList.of());
      }
    }
    complete(call, watch != null);
  }

  private void forget(NameWatch watch) {
    watches.remove(watch.number);
    cancelTimer(new LookAround(watch.number));
    core.everyone.forEach(server -> cancelTimer(new AskAgain(watch.number, server)));
    if (watch.waiting != null) {
      cancelTimer(new NamesOver(watch.number, watch.waiting.number()));
    }
  }

  /** Whether a hint would count now. */
  boolean heeds(ServerId from, PrefixChanges changes) {
    return watches.values().stream()
        .anyMatch(it -> it.prefix.equals(changes.prefix()) && it.asked.contains(from));
  }

  /** A call has been given up. */
  void cancelled(CallId<?> call) {
    for (NameWatch watch : new ArrayList<>(watches.values())) {
      if (watch.waiting != null && watch.waiting.number() == call.number()) {
        cancelTimer(new NamesOver(watch.number, call.number()));
        watch.waiting = null;
      }
    }
  }
}
