package io.testudo.node.watch;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.LockCensus;
import io.testudo.client.cluster.ObjectCensus;
import io.testudo.client.cluster.ServerQuestions;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.mutex.protocol.LockList;
import io.testudo.ordering.message.ObjectList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The first locks in use and the first objects, by name, as b+1 servers say. Whoever looks every
 * few seconds cannot look at a hundred thousand.
 *
 * @param moreLocks whether b+1 servers have more
 * @param isComplete whether a quorum told of everything that was asked
 */
record NameLists(
    ImmutableList<ListedLock> locks,
    boolean moreLocks,
    ImmutableList<ListedObject> objects,
    boolean moreObjects,
    boolean isComplete) {
  /** As many locks are shown, and as many objects. */
  private static final int MAX_ROWS = 256;

  private static final int LOCK_PAGES = MAX_ROWS / LockList.MAX_LOCKS;
  private static final int OBJECT_PAGES = MAX_ROWS / ObjectList.MAX_OBJECTS;

  /** As many prefixes of a principal's rights are asked for. */
  static final int MAX_PREFIXES = 8;

  /** Questions under way. */
  record Asked(
      Map<String, List<CompletableFuture<Answers<LockList>>>> locks,
      List<CompletableFuture<Answers<ObjectList>>> objects,
      boolean morePrefixes) {}

  /** Asks all servers for everything at the same time. */
  static Asked ask(ClusterClient cluster, List<String> prefixes, Duration timeout) {
    Map<String, List<CompletableFuture<Answers<LockList>>>> locks = new LinkedHashMap<>();
    List<CompletableFuture<Answers<ObjectList>>> objects = new ArrayList<>();
    List<String> asked = prefixes.stream().limit(MAX_PREFIXES).toList();
    for (String backend : cluster.config().common().lock().backends()) {
      locks.put(
          backend,
          asked.stream()
              .map(prefix -> cluster.questions().lockPages(backend, prefix, timeout, LOCK_PAGES))
              .toList());
    }
    asked.forEach(
        prefix -> objects.add(cluster.questions().objectPages(prefix, timeout, OBJECT_PAGES)));
    return new Asked(locks, objects, prefixes.size() > asked.size());
  }

  static NameLists of(Asked asked, Thresholds thresholds) throws InterruptedException {
    ImmutableList.Builder<ListedLock> locks = ImmutableList.builder();
    ImmutableList.Builder<ListedObject> objects = ImmutableList.builder();
    boolean moreLocks = asked.morePrefixes();
    boolean moreObjects = asked.morePrefixes();
    boolean complete = true;
    for (Map.Entry<String, List<CompletableFuture<Answers<LockList>>>> of :
        asked.locks().entrySet()) {
      for (CompletableFuture<Answers<LockList>> question : of.getValue()) {
        Answers<LockList> answers = ServerQuestions.await(question);
        for (LockCensus.Entry entry : LockCensus.of(answers.pages(), thresholds)) {
          locks.add(ListedLock.of(entry, of.getKey()));
        }
        moreLocks |= hasMore(answers, LockList::more, thresholds);
        complete &= isComplete(answers, thresholds);
      }
    }
    for (CompletableFuture<Answers<ObjectList>> question : asked.objects()) {
      Answers<ObjectList> answers = ServerQuestions.await(question);
      for (ObjectCensus.Entry entry : ObjectCensus.of(answers.pages(), thresholds)) {
        objects.add(ListedObject.of(entry));
      }
      moreObjects |= hasMore(answers, ObjectList::more, thresholds);
      complete &= isComplete(answers, thresholds);
    }
    ImmutableList<ListedLock> allLocks = locks.build();
    ImmutableList<ListedObject> allObjects = objects.build();
    return new NameLists(
        first(allLocks),
        moreLocks || allLocks.size() > MAX_ROWS,
        first(allObjects),
        moreObjects || allObjects.size() > MAX_ROWS,
        complete);
  }

  private static <R> ImmutableList<R> first(ImmutableList<R> rows) {
    return rows.subList(0, Math.min(rows.size(), MAX_ROWS));
  }

  private static boolean isComplete(Answers<?> answers, Thresholds thresholds) {
    return answers.pages().keySet().size() >= thresholds.quorum();
  }

  private static <A extends Message> boolean hasMore(
      Answers<A> answers, Predicate<A> more, Thresholds thresholds) {
    int say = 0;
    for (ServerId server : answers.pages().keySet()) {
      List<A> pages = answers.pages().get(server);
      say += more.test(pages.get(pages.size() - 1)) ? 1 : 0;
    }
    return say >= thresholds.vouchers();
  }
}
