package io.testudo.client.roster;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.Codec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who holds and who waits. Those who wait are let in from the head of the line only, so nobody is
 * overtaken.
 *
 * @param size how much there is; 0 as long as nobody has come
 * @param lastFence of the last grant
 * @param holders in the order of their fences
 * @param waiters in the order of their coming
 */
public record Roster(
    int size, long lastFence, ImmutableList<Member> holders, ImmutableList<Member> waiters) {
  /** More cannot hold at a time. */
  public static final int MAX_HOLDERS = 1_024;

  /** More cannot wait at a time. */
  public static final int MAX_WAITERS = 256;

  static final Roster EMPTY = new Roster(0, 0, ImmutableList.of(), ImmutableList.of());

  static final Codec<Roster> CODEC =
      Codec.of(
          (roster, out) -> {
            out.writeLong(roster.size()).writeLong(roster.lastFence());
            Codec.listOf(Member.CODEC).write(roster.holders(), out);
            Codec.listOf(Member.CODEC).write(roster.waiters(), out);
          },
          in ->
              new Roster(
                  Math.toIntExact(in.readLong()),
                  in.readLong(),
                  ImmutableList.copyOf(Codec.listOf(Member.CODEC).read(in)),
                  ImmutableList.copyOf(Codec.listOf(Member.CODEC).read(in))));

  /** How those who wait are let in. */
  public enum Rule {
    /** As far as their weights fit beside those who hold. */
    PERMITS,
    /**
     * Together, as soon as they are as many as the size. What they came for has happened then, and
     * each is to hear of it however late: so they stay until they leave, or make room for others.
     */
    GATHER
  }

  /** What became of a wish, and the roster after it. */
  record Turn(Roster after, Standing standing) {}

  /** All members. */
  public Stream<Member> members() {
    return Stream.concat(holders.stream(), waiters.stream());
  }

  /** Those who have to show that they are there. */
  Stream<Member> evictable(Rule rule) {
    return rule == Rule.GATHER ? waiters.stream() : members();
  }

  public Optional<Member> find(long id) {
    return members().filter(member -> member.id() == id).findFirst();
  }

  /** How much of the size is held. */
  public int taken() {
    return holders.stream().mapToInt(Member::weight).sum();
  }

  /** Somebody comes. */
  Turn enter(Rule rule, Entrance who) {
    if (size != 0 && size != who.size()) {
      return new Turn(this, new Standing(Standing.Kind.OTHER_SIZE, size));
    }
    Optional<Member> known = find(who.id());
    if (known.isPresent()) {
      return new Turn(this, Standing.of(known.get()));
    }
    Roster after =
        new Roster(who.size(), lastFence, holders, with(waiters, who.member())).admit(rule);
    Standing standing = Standing.of(after.find(who.id()).orElseThrow());
    if (standing.equals(Standing.WAITING) && !who.waits()) {
      return new Turn(this, Standing.BUSY);
    }
    if (standing.equals(Standing.WAITING) && after.waiters.size() > MAX_WAITERS) {
      return new Turn(this, Standing.FULL);
    }
    return new Turn(after, standing);
  }

  /** A member shows that it is there. */
  Turn renew(Beat beat) {
    Optional<Member> member = find(beat.id());
    if (member.isEmpty()) {
      return new Turn(this, Standing.GONE);
    }
    if (beat.beats() <= member.get().beats()) {
      return new Turn(this, Standing.of(member.get()));
    }
    Member renewed = member.get().renewed(beat.leaseMillis(), beat.beats());
    return new Turn(
        new Roster(size, lastFence, replaced(holders, renewed), replaced(waiters, renewed)),
        Standing.of(renewed));
  }

  /** A member leaves; tells how it stood before. */
  Turn leave(Rule rule, long id) {
    return find(id)
        .map(member -> new Turn(without(id).admit(rule), Standing.of(member)))
        .orElse(new Turn(this, Standing.GONE));
  }

  /** A member that was not heard of since these beats has to leave. */
  Turn evict(Rule rule, Beat last) {
    return evictable(rule)
        .filter(member -> member.id() == last.id())
        .filter(member -> member.beats() == last.beats())
        .findFirst()
        .map(member -> new Turn(without(last.id()).admit(rule), Standing.of(member)))
        .orElse(new Turn(this, Standing.GONE));
  }

  private Roster without(long id) {
    return new Roster(size, lastFence, without(holders, id), without(waiters, id));
  }

  /** Lets in who may come in now. */
  private Roster admit(Rule rule) {
    return rule == Rule.GATHER ? gather() : admitFitting();
  }

  private Roster admitFitting() {
    int free = size - taken();
    long fence = lastFence;
    int admitted = 0;
    ImmutableList.Builder<Member> inside = ImmutableList.<Member>builder().addAll(holders);
    for (Member next : waiters) {
      if (next.weight() > free || holders.size() + admitted >= MAX_HOLDERS) {
        break;
      }
      free -= next.weight();
      fence++;
      admitted++;
      inside.add(next.granted(fence));
    }
    return admitted == 0
        ? this
        : new Roster(size, fence, inside.build(), waiters.subList(admitted, waiters.size()));
  }

  private Roster gather() {
    if (waiters.size() < size) {
      return this;
    }
    int oldest = Math.max(0, holders.size() + size - MAX_HOLDERS);
    ImmutableList.Builder<Member> inside = ImmutableList.builder();
    inside.addAll(holders.subList(oldest, holders.size()));
    waiters.subList(0, size).forEach(member -> inside.add(member.granted(lastFence + 1)));
    return new Roster(size, lastFence + 1, inside.build(), waiters.subList(size, waiters.size()));
  }

  private static ImmutableList<Member> with(List<Member> members, Member one) {
    return ImmutableList.<Member>builder().addAll(members).add(one).build();
  }

  private static ImmutableList<Member> without(List<Member> members, long id) {
    return members.stream()
        .filter(member -> member.id() != id)
        .collect(ImmutableList.toImmutableList());
  }

  private static ImmutableList<Member> replaced(List<Member> members, Member renewed) {
    return members.stream()
        .map(member -> member.id() == renewed.id() ? renewed : member)
        .collect(ImmutableList.toImmutableList());
  }
}
