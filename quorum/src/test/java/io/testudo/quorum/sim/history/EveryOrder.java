package io.testudo.quorum.sim.history;

import io.testudo.quorum.sim.history.RecordedHistory.Event;
import java.util.ArrayList;
import java.util.List;

/** Tries all orders of all subsets of a small history, with no cleverness at all. */
final class EveryOrder {
  private EveryOrder() {}

  static <S, I, O> boolean explains(
      Specification<S, I, O> specification, List<Event<I, O>> events) {
    return goesOn(specification, specification.initial(), new ArrayList<>(), events);
  }

  private static <S, I, O> boolean goesOn(
      Specification<S, I, O> specification,
      S state,
      List<Event<I, O>> placed,
      List<Event<I, O>> left) {
    if (left.stream().allMatch(Event::isOpen) && keepsToTime(placed)) {
      return true;
    }
    for (Event<I, O> next : left) {
      List<S> states =
          next.output().isPresent()
              ? specification.after(state, next.input(), next.output().get())
              : specification.afterUnknown(state, next.input());
      List<Event<I, O>> order = new ArrayList<>(placed);
      order.add(next);
      List<Event<I, O>> rest = new ArrayList<>(left);
      rest.remove(next);
      for (S after : states) {
        if (goesOn(specification, after, order, rest)) {
          return true;
        }
      }
    }
    return false;
  }

  private static <I, O> boolean keepsToTime(List<Event<I, O>> order) {
    for (int i = 0; i < order.size(); i++) {
      for (int j = i + 1; j < order.size(); j++) {
        if (order.get(j).returned() < order.get(i).called()) {
          return false;
        }
      }
    }
    return true;
  }
}
