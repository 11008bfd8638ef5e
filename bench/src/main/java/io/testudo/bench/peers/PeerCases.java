package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Kind;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The work that all systems do: the columns of the table. */
final class PeerCases {
  private static final int[] CONTENDERS = {2, 8, 32};
  private static final int[] INCREMENTERS = {1, 8, 32, 64};
  private static final int PARALLEL = 32;

  /** How many warm up a system before its first case: one alone would take very long. */
  static final int WARM_UP_CALLERS = 32;

  private static final int WARM_UP_LOCKS = 8;

  private PeerCases() {}

  /** Kinds of cases, as options name them. */
  enum Case {
    /** One caller alone. */
    UNCONTENDED,
    /** All at one lock. */
    CONTENDED,
    /** Each at a lock of its own. */
    PARALLEL,
    /** All at one counter. */
    INCREMENT
  }

  /** What a row calls a work. */
  static String caseOf(PeerWork work) {
    Case found;
    if (work.kind() == Kind.INCREMENT) {
      found = Case.INCREMENT;
    } else if (work.callers() == 1) {
      found = Case.UNCONTENDED;
    } else {
      found = work.objects() == 1 ? Case.CONTENDED : Case.PARALLEL;
    }
    return PeerWork.word(found);
  }

  /**
   * All works of these cases. Those with one client object come first: until then nobody has more
   * than that one. One caller alone has one in any case.
   */
  static ImmutableList<PeerWork> columns(
      Collection<Case> cases, Collection<Use> uses, Collection<Sharing> sharings) {
    ImmutableList.Builder<PeerWork> columns = ImmutableList.builder();
    for (Sharing sharing : Sharing.values()) {
      for (Case one : Case.values()) {
        for (Use use : Use.values()) {
          if (cases.contains(one) && uses.contains(use) && sharings.contains(sharing)) {
            columns.addAll(of(one, use, sharing));
          }
        }
      }
    }
    return columns.build();
  }

  private static ImmutableList<PeerWork> of(Case one, Use use, Sharing sharing) {
    ImmutableList.Builder<PeerWork> works = ImmutableList.builder();
    switch (one) {
      case UNCONTENDED -> works.add(new PeerWork(Kind.LOCK, use, sharing, 1, 1));
      case CONTENDED -> {
        for (int callers : CONTENDERS) {
          works.add(new PeerWork(Kind.LOCK, use, sharing, callers, 1));
        }
      }
      case PARALLEL -> works.add(new PeerWork(Kind.LOCK, use, sharing, PARALLEL, PARALLEL));
      case INCREMENT -> {
        for (int callers : INCREMENTERS) {
          works.add(new PeerWork(Kind.INCREMENT, use, sharing, callers, 1));
        }
      }
    }
    return works.build().stream()
        .filter(work -> work.callers() > 1 || sharing == Sharing.SHARED)
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * What warms a system up for these works: each way to work; of separate clients, whose calls are
   * warm by then, one of each kind.
   */
  static Collection<PeerWork> warmUps(Peer peer, List<PeerWork> columns) {
    Map<String, PeerWork> works = new LinkedHashMap<>();
    for (PeerWork work : columns) {
      if (peer.can(work)) {
        boolean isShared = work.sharing() == Sharing.SHARED;
        works.put(work.kind() + " " + (isShared ? work.use() : work.sharing()), warmUp(work));
      }
    }
    return works.values();
  }

  /** Some wait at each lock: what only contention runs through has to be warm, too. */
  private static PeerWork warmUp(PeerWork work) {
    int objects = work.kind() == Kind.LOCK ? WARM_UP_LOCKS : 1;
    return new PeerWork(work.kind(), work.use(), work.sharing(), WARM_UP_CALLERS, objects);
  }
}
