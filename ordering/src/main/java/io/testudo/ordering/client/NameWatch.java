package io.testudo.ordering.client;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.ObjectChange.Kind;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.ordering.message.ObjectList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.CallId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of the objects under a prefix. An object is in a version, or deleted by it,
 * if more servers say so than can lie: one of them is correct and has that commit.
 */
final class NameWatch {
  /** Of as many objects it is remembered what was believed: as many as a server has names. */
  static final int MAX_NAMES = CompleteMemory.MAX_OBJECTS + CompleteMemory.MAX_TOMBSTONES;

  /** Of as many objects it is remembered what each server said that did not count yet. */
  private static final int MAX_SAID = 8_192;

  final long number;
  final String prefix;
  final long lookNanos;
  private final int vouchers;
  private final Map<ServerId, Map<String, ObjectList.Item>> said = new HashMap<>();
  private final Map<String, ObjectList.Item> known = BoundedMap.byUse(MAX_NAMES);
  private final Map<String, ObjectChange> news = new LinkedHashMap<>();

  /** Up to where each server has told of changes. */
  final Map<ServerId, Long> upTo = new HashMap<>();

  /** The lists that servers are asked for, page by page. */
  final Map<ServerId, Listing> listing = new HashMap<>();

  /** A question for the page of a list that is behind a name. */
  record Listing(long nonce, String after, int page) {}

  /** Those that were asked to tell of changes, and have not. */
  ServerSet asked = ServerSet.none();

  /** Those that have answered, and those that refuse to. */
  ServerSet served = ServerSet.none();

  ServerSet refusing = ServerSet.none();

  /** Those that have forgotten what changed, since the last look. */
  ServerSet gaps = ServerSet.none();

  @Nullable CallId<ImmutableList<ObjectChange>> waiting;

  NameWatch(AwaitNames call, int vouchers) {
    this.number = call.watch();
    this.prefix = call.prefix();
    this.lookNanos = call.lookNanos();
    this.vouchers = vouchers;
  }

  /** A server shows an object. */
  void hear(ServerId from, ObjectList.Item item) {
    ObjectList.Item before = known.get(item.object());
    if (!item.object().startsWith(prefix)
        || (before != null && item.version() <= before.version())) {
      return;
    }
    said.computeIfAbsent(from, any -> BoundedMap.byUse(MAX_SAID)).put(item.object(), item);
    long sayers =
        said.values().stream()
            .map(theirs -> theirs.get(item.object()))
            .filter(other -> other != null && isSame(other, item))
            .count();
    if (sayers >= vouchers) {
      said.values().forEach(theirs -> theirs.remove(item.object()));
      known.put(item.object(), item);
      note(before, item);
    }
  }

  /** What is kept of an object differs between servers, and is no part of it. */
  private static boolean isSame(ObjectList.Item one, ObjectList.Item other) {
    return one.version() == other.version()
        && one.isAbsent() == other.isAbsent()
        && one.type() == other.type();
  }

  private void note(ObjectList.@Nullable Item before, ObjectList.Item now) {
    boolean wasThere = before != null && !before.isAbsent();
    ObjectChange untold = news.remove(now.object());
    boolean wasTold = untold == null ? wasThere : untold.kind() != Kind.CREATED;
    if (now.isAbsent() && !wasTold) {
      return; // Nobody has heard that it was there.
    }
    Kind kind = now.isAbsent() ? Kind.DELETED : wasThere && wasTold ? Kind.CHANGED : Kind.CREATED;
    OptionalInt type = now.type() == 0 ? OptionalInt.empty() : OptionalInt.of(now.type());
    news.put(now.object(), new ObjectChange(now.object(), kind, now.version(), type));
  }

  /** What the caller was not told yet. */
  ImmutableList<ObjectChange> takeNews() {
    ImmutableList<ObjectChange> all = ImmutableList.copyOf(news.values());
    news.clear();
    return all;
  }

  boolean hasNews() {
    return !news.isEmpty();
  }

  long upTo(ServerId server) {
    return Objects.requireNonNullElse(upTo.get(server), 0L);
  }
}
