package io.testudo.quorum.sim.history;

import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was asked of objects and what they answered, in the order in which it happened. An operation
 * of which nobody knows whether it happened is simply never ended: it stays open for ever. Safe to
 * use from several threads.
 *
 * @param <I> what is asked
 * @param <O> what is answered
 */
public final class RecordedHistory<I, O> {
  private static final long NEVER = Long.MAX_VALUE;

  private final Map<String, List<Operation>> byObject = new LinkedHashMap<>();
  private long lastEvent;

  /** Nothing has happened yet. */
  public RecordedHistory() {}

  /** One operation, from its call on. */
  public final class Operation {
    private final String object;
    private final I input;
    private final long called;
    private long returned = NEVER;
    private @Nullable O output;

    private Operation(String object, I input, long called) {
      this.object = object;
      this.input = input;
      this.called = called;
    }

    /** It was done, and this is the answer. */
    public void returned(O answer) {
      end(this, answer);
    }

    /** It is certain that it was not done and never will be. */
    public void didNotHappen() {
      forget(this);
    }
  }

  /**
   * A copy of an operation as it is now.
   *
   * @param called when, in events of the whole history
   * @param returned when; {@code Long.MAX_VALUE} if it is open
   */
  record Event<I, O>(I input, Optional<O> output, long called, long returned) {
    boolean isOpen() {
      return output.isEmpty();
    }

    @Override
    public String toString() {
      return input + " -> " + output.map(Object::toString).orElse("?");
    }
  }

  /** An operation is about to be asked for. This comes before it is sent. */
  public synchronized Operation called(String object, I input) {
    Operation operation = new Operation(object, input, ++lastEvent);
    byObject.computeIfAbsent(object, any -> new ArrayList<>()).add(operation);
    return operation;
  }

  private synchronized void end(Operation operation, O answer) {
    checkState(operation.output == null, "an operation ends once");
    operation.output = answer;
    operation.returned = ++lastEvent;
  }

  private synchronized void forget(Operation operation) {
    checkState(operation.output == null, "an operation ends once");
    byObject.getOrDefault(operation.object, List.of()).remove(operation);
  }

  /** The objects that were used. */
  public synchronized List<String> objects() {
    return List.copyOf(byObject.keySet());
  }

  /** How many operations there are on all objects, open ones included. */
  public synchronized int size() {
    return byObject.values().stream().mapToInt(List::size).sum();
  }

  /** The operations on one object, in the order of their calls. */
  synchronized List<Event<I, O>> of(String object) {
    List<Event<I, O>> events = new ArrayList<>();
    for (Operation one : byObject.getOrDefault(object, List.of())) {
      events.add(new Event<>(one.input, Optional.ofNullable(one.output), one.called, one.returned));
    }
    return events;
  }
}
