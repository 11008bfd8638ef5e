package io.testudo.ordering.objects;

import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.Nothing;
import io.testudo.ordering.ObjectSpace;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A queue: first in, first out. An element that was polled is gone; who polls it and loses the
 * answer asks again with {@link ReplicatedObject#outcomeOf}.
 */
public final class QueueObject {
  /** Gives the number of the element, from 0 in the life of the queue. */
  public static final Operation<SeriesState, Bytes, Long> ADD =
      Operation.of(1, "add", Codec.BYTES, Codec.LONG)
          .changing(
              Codec.BYTES,
              (queue, element) -> Change.to(Sizes.checkElement(element), queue.next()),
              SeriesState::with);

  /** Takes the first element. */
  public static final Operation<SeriesState, Nothing, Optional<Bytes>> POLL =
      Operation.of(2, "poll", Codec.optional(Codec.BYTES))
          .changing(
              Codec.LONG,
              (queue, nothing) -> {
                Optional<Bytes> head = queue.get(queue.first());
                return head.isPresent() ? Change.to(queue.first() + 1, head) : Change.none(head);
              },
              SeriesState::from);

  /** Takes the first elements, up to so many, and no more than fit into a result. */
  public static final Operation<SeriesState, Integer, List<Bytes>> POLL_MANY =
      Operation.of(3, "pollMany", Codec.INT, Codec.listOf(Codec.BYTES))
          .changing(
              Codec.LONG,
              (queue, most) -> {
                List<Bytes> heads = fitting(queue.from(queue.first(), most));
                return heads.isEmpty()
                    ? Change.none(heads)
                    : Change.to(queue.first() + heads.size(), heads);
              },
              SeriesState::from);

  /** How many elements there were. */
  public static final Operation<SeriesState, Nothing, Integer> CLEAR =
      Operation.of(4, "clear", Codec.INT)
          .changing(
              Codec.LONG,
              (queue, nothing) -> Change.to(queue.next(), queue.size()),
              SeriesState::from);

  public static final ObjectType<SeriesState> TYPE =
      ObjectType.of(4, "queue", SeriesState.CODEC, SeriesState.EMPTY)
          .with(ADD)
          .with(POLL)
          .with(POLL_MANY)
          .with(CLEAR)
          .sized(SeriesState::bytes);

  private static List<Bytes> fitting(List<Bytes> elements) {
    int bytes = 0;
    int count = 0;
    for (Bytes element : elements) {
      bytes += Sizes.of(element);
      if (count > 0 && bytes > Sizes.MAX_ELEMENT_BYTES) {
        break;
      }
      count++;
    }
    return elements.subList(0, count);
  }

  private final ReplicatedObject<SeriesState> object;

  private QueueObject(ReplicatedObject<SeriesState> object) {
    this.object = object;
  }

  public static QueueObject open(ObjectSpace space, String name) {
    return new QueueObject(space.open(name, TYPE));
  }

  /** Gives the number of the element, from 0 in the life of the queue. */
  public CompletableFuture<Long> add(Bytes element) {
    try {
      return object.submit(ADD, Sizes.checkElement(element));
    } catch (ValueTooLargeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** As {@link #add(Bytes)}, with text in UTF-8. */
  public CompletableFuture<Long> add(String element) {
    return add(Bytes.utf8(element));
  }

  /** Takes the first element; empty if there is none. */
  public CompletableFuture<Optional<Bytes>> poll() {
    return object.submit(POLL);
  }

  /** Takes the first elements, up to so many; fewer if there are fewer, or they are large. */
  public CompletableFuture<List<Bytes>> poll(int most) {
    return object.submit(POLL_MANY, most);
  }

  /** The first element, which stays. */
  public CompletableFuture<Optional<Bytes>> peek() {
    return object.read(queue -> queue.get(queue.first()));
  }

  /** How many elements there were. */
  public CompletableFuture<Integer> clear() {
    return object.submit(CLEAR);
  }

  public CompletableFuture<Integer> size() {
    return object.read(SeriesState::size);
  }

  /** The same, with another time limit for calls. */
  public QueueObject withTimeout(Duration timeout) {
    return new QueueObject(object.withTimeout(timeout));
  }

  /** The same, with calls that ask these servers first; see {@link ReplicatedObject#withAccess}. */
  public QueueObject withAccess(Access first) {
    return new QueueObject(object.withAccess(first));
  }

  /** For all that any object can do. */
  public ReplicatedObject<SeriesState> object() {
    return object;
  }
}
