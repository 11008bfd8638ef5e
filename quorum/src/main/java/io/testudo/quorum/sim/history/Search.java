package io.testudo.quorum.sim.history;

import io.testudo.quorum.sim.history.Linearizability.Result;
import io.testudo.quorum.sim.history.Linearizability.Verdict;
import io.testudo.quorum.sim.history.RecordedHistory.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The search for an order of one object's operations; depth first. */
final class Search<S, I, O> {
  private final Specification<S, I, O> specification;
  private final List<Event<I, O>> events;
  private final int maxConfigurations;

  /** Those that were answered, the first answer first. */
  private final int[] byReturn;

  private final BitSet done = new BitSet();
  private final Set<Configuration<S>> tried = new HashSet<>();
  private final Deque<Frame> path = new ArrayDeque<>();

  private int furthest = -1;
  private int obstacle;

  private record Configuration<S>(BitSet done, S state) {}

  /** A place in the search: what may come next, and what of it was tried. */
  private final class Frame {
    final Iterator<Integer> candidates;
    int operation = -1;
    Iterator<S> successors = List.<S>of().iterator();
    final S state;

    Frame(S state) {
      this.state = state;
      List<Integer> all = candidates();
      // A read that fits here can as well come at once: an order that has it later is one without.
      Optional<Integer> read = all.stream().filter(this::isReadThatFits).findFirst();
      this.candidates = read.map(List::of).orElse(all).iterator();
    }

    private boolean isReadThatFits(int candidate) {
      Event<I, O> event = events.get(candidate);
      return !event.isOpen()
          && specification.isRead(event.input())
          && !successors(state, event).isEmpty();
    }

    /** Moves on to a state that was not tried yet; null if there is none. */
    @Nullable S next() {
      while (true) {
        if (operation >= 0) {
          done.set(operation);
          while (successors.hasNext()) {
            S after = successors.next();
            // Nobody saw an open operation that changes nothing: there is no need to place it.
            boolean isIdle = events.get(operation).isOpen() && after.equals(state);
            if (!isIdle && tried.add(new Configuration<>((BitSet) done.clone(), after))) {
              return after;
            }
          }
          done.clear(operation);
        }
        if (!candidates.hasNext()) {
          return null;
        }
        operation = candidates.next();
        successors = successors(state, events.get(operation)).iterator();
      }
    }
  }

  Search(Specification<S, I, O> specification, List<Event<I, O>> events, int maxConfigurations) {
    this.specification = specification;
    this.events = events;
    this.maxConfigurations = maxConfigurations;
    this.byReturn =
        IntStream.range(0, events.size())
            .filter(i -> !events.get(i).isOpen())
            .boxed()
            .sorted(Comparator.comparingLong(i -> events.get(i).returned()))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  private List<S> successors(S state, Event<I, O> event) {
    return event.output().isPresent()
        ? specification.after(state, event.input(), event.output().get())
        : specification.afterUnknown(state, event.input());
  }

  Result run(String object) {
    if (isComplete()) {
      return new Result(Verdict.LINEARIZABLE, 0, object + " was never answered");
    }
    path.push(new Frame(specification.initial()));
    noteObstacle();
    while (true) {
      Frame here = path.peek();
      S next = here == null ? null : here.next();
      if (here == null) {
        return new Result(Verdict.NOT_LINEARIZABLE, tried.size(), object + ": " + explain());
      }
      if (next == null) {
        path.pop();
        Frame before = path.peek();
        if (before != null) {
          done.clear(before.operation);
        }
      } else if (isComplete()) {
        return new Result(Verdict.LINEARIZABLE, tried.size(), object + " has an order");
      } else if (tried.size() > maxConfigurations) {
        return new Result(Verdict.UNDECIDED, tried.size(), object + ": given up; " + explain());
      } else {
        path.push(new Frame(next));
        noteObstacle();
      }
    }
  }

  private boolean isComplete() {
    return firstAnswered() < 0;
  }

  /** Of those that are not placed yet, the one that was answered first. */
  private int firstAnswered() {
    for (int operation : byReturn) {
      if (!done.get(operation)) {
        return operation;
      }
    }
    return -1;
  }

  /** What may come next: whatever was called before anything else was answered; open ones last. */
  private List<Integer> candidates() {
    long deadline = events.get(firstAnswered()).returned();
    List<Integer> found = new ArrayList<>();
    for (int i = done.nextClearBit(0); i < events.size(); i = done.nextClearBit(i + 1)) {
      if (events.get(i).called() > deadline) {
        break;
      }
      found.add(i);
    }
    found.sort(Comparator.comparingLong(i -> events.get(i).returned()));
    return found;
  }

  private void noteObstacle() {
    if (done.cardinality() > furthest) {
      furthest = done.cardinality();
      obstacle = firstAnswered();
    }
  }

  private String explain() {
    return "%d of %d operations can be placed, then comes %s"
        .formatted(furthest, events.size(), events.get(obstacle));
  }
}
