package io.testudo.client.roster;

import io.testudo.client.roster.Roster.Rule;
import io.testudo.client.roster.Roster.Turn;
import io.testudo.ordering.Change;
import io.testudo.ordering.Codec;
import io.testudo.ordering.ObjectType;
import io.testudo.ordering.Operation;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A type of objects that are rosters, and its operations. What each does follows from its argument
 * alone, so that is all that travels.
 */
public final class RosterType {
  public static final RosterType SEMAPHORE = new RosterType(10, "semaphore", Rule.PERMITS);
  public static final RosterType READ_WRITE_LOCK =
      new RosterType(11, "read-write lock", Rule.PERMITS);
  public static final RosterType BARRIER = new RosterType(12, "barrier", Rule.GATHER);

  private final Rule rule;
  private final Operation<Roster, Entrance, Standing> enter;
  private final Operation<Roster, Beat, Standing> renew;
  private final Operation<Roster, Long, Standing> leave;
  private final Operation<Roster, Beat, Standing> evict;
  private final ObjectType<Roster> type;

  private RosterType(int number, String name, Rule rule) {
    this.rule = rule;
    enter = operation(1, "enter", Entrance.CODEC, (roster, who) -> roster.enter(rule, who));
    renew = operation(2, "renew", Beat.CODEC, Roster::renew);
    leave = operation(3, "leave", Codec.LONG, (roster, id) -> roster.leave(rule, id));
    evict = operation(4, "evict", Beat.CODEC, (roster, last) -> roster.evict(rule, last));
    type =
        ObjectType.of(number, name, Roster.CODEC, Roster.EMPTY)
            .with(enter)
            .with(renew)
            .with(leave)
            .with(evict);
  }

  private static <A> Operation<Roster, A, Standing> operation(
      int number, String name, Codec<A> arguments, BiFunction<Roster, A, Turn> turn) {
    return Operation.of(number, name, arguments, Standing.CODEC)
        .changing(
            arguments,
            (Roster roster, A argument) -> {
              Turn made = turn.apply(roster, argument);
              return made.after().equals(roster)
                  ? Change.none(made.standing())
                  : Change.to(argument, made.standing());
            },
            (roster, argument) -> turn.apply(roster, argument).after());
  }

  /** Those of a roster who can be evicted if they are not heard of. */
  public Stream<Member> evictable(Roster roster) {
    return roster.evictable(rule);
  }

  public ObjectType<Roster> type() {
    return type;
  }

  public Operation<Roster, Entrance, Standing> enter() {
    return enter;
  }

  public Operation<Roster, Beat, Standing> renew() {
    return renew;
  }

  public Operation<Roster, Long, Standing> leave() {
    return leave;
  }

  public Operation<Roster, Beat, Standing> evict() {
    return evict;
  }
}
